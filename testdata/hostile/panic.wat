;; Prints what a Go program prints when it panics, and exits with code 2. The error shows
;; the line that says why.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $proc_exit (param i32)))
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param $at i32) (param $len i32) (result i64)
    (drop (call $fd_write (i32.const 2) (i32.const 512) (i32.const 1) (i32.const 520)))
    (call $proc_exit (i32.const 2))
    (unreachable))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod")
  (data (i32.const 512) "\00\03\00\00\b9\00\00\00")
  (data (i32.const 768)
    "panic: out of cheese\n\ngoroutine 1 [running]:\n"
    "main.f(...)\n\t/f.go:1\nmain.g(...)\n\t/g.go:2\nmain.h(...)\n\t/h.go:3\n"
    "main.i(...)\n\t/i.go:4\nmain.j(...)\n\t/j.go:5\nmain.main()\n\t/m.go:6\nexit status 2\n"))
