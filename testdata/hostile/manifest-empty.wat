;; Its manifest has a name and no controller. Refused.
(module
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000009))
  (func (export "loopdock_reconcile") (param i32 i32) (result i64) (i64.const 0))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod"))
