;; Reads with queries, a buffer, and both outside its memory. The results are in the memo:
;; -1, -1, -1. Then it logs from outside: nothing is logged.
(module
  (import "loopdock_abi_1" "read" (func $read (param i32 i32 i32 i32) (result i32)))
  (import "loopdock_abi_1" "log" (func $log (param i32 i32 i32)))
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param $at i32) (param $len i32) (result i64)
    (i32.store (i32.const 66) (call $read (i32.const 65535) (i32.const 2) (i32.const 0) (i32.const 0)))
    (i32.store (i32.const 70) (call $read (i32.const 0) (i32.const 1) (i32.const -1) (i32.const 1)))
    (i32.store (i32.const 74) (call $read (i32.const -1) (i32.const -1) (i32.const -1) (i32.const -1)))
    (call $log (i32.const 0) (i32.const -1) (i32.const -1))
    (i64.const 0x400000000e))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod")
  (data (i32.const 64) "\22\0c"))
