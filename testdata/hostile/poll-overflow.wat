;; Polls so many subscriptions that their length in bytes overflows. The call fails, and
;; not the host.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll_oneoff (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param $at i32) (param $len i32) (result i64)
    (drop (call $poll_oneoff (i32.const 512) (i32.const 768) (i32.const 0x10000001) (i32.const 896)))
    (i64.const 0))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod"))
