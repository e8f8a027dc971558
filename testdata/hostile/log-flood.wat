;; Logs a thousand lines of 60 KiB, prints as many without an end, and traps. Each line is
;; cut, the last ones are kept.
(module
  (import "loopdock_abi_1" "log" (func $log (param i32 i32 i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param $at i32) (param $len i32) (result i64) (local $n i32)
    (memory.fill (i32.const 2048) (i32.const 120) (i32.const 61440))
    (i32.store (i32.const 512) (i32.const 2048))
    (i32.store (i32.const 516) (i32.const 61440))
    (loop $again
      (call $log (i32.const 0) (i32.const 2048) (i32.const 61440))
      (drop (call $fd_write (i32.const 1) (i32.const 512) (i32.const 1) (i32.const 520)))
      (br_if $again (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 1000))))
    (unreachable))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod"))
