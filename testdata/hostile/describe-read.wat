;; Reads in describe, and traps unless the answer is that it may not (-3). Docks.
(module
  (import "loopdock_abi_1" "read" (func $read (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64)
    (if (i32.ne (call $read (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0)) (i32.const -3))
      (then (unreachable)))
    (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param i32 i32) (result i64) (i64.const 0))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod"))
