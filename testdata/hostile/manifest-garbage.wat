;; Its manifest is not protobuf. Refused.
(module
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param i32 i32) (result i64) (i64.const 0))
  (data (i32.const 8) "\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff"))
