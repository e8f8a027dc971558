;; Grows by one page, by 16 MiB and by the largest number there is. What memory.grow gave
;; is in the memo: 1, and -1 for what is beyond the limit.
(module
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param $at i32) (param $len i32) (result i64)
    (i32.store (i32.const 66) (memory.grow (i32.const 1)))
    (i32.store (i32.const 70) (memory.grow (i32.const 256)))
    (i32.store (i32.const 74) (memory.grow (i32.const -1)))
    (i64.const 0x400000000e))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod")
  (data (i32.const 64) "\22\0c"))
