;; Counts its calls, in the memo, to tell one instance from another. Traps if the key is
;; "trap".
(module
  (memory (export "memory") 1)
  (func (export "loopdock_abi_1"))
  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
  (func (export "loopdock_describe") (result i64) (i64.const 0x800000021))
  (func (export "loopdock_reconcile") (param $at i32) (param $len i32) (result i64)
    (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
    ;; The request is key (field 2) with name (field 4): 12 06 22 04 "trap".
    (if (i32.eq (i32.load (i32.add (local.get $at) (i32.const 4))) (i32.const 0x70617274))
      (then (unreachable)))
    (i32.store (i32.const 66) (global.get $calls))
    (i64.const 0x4000000006))
  (global $calls (mut i32) (i32.const 0))
  (data (i32.const 8) "\0a\07hostile\22\16\0a\07hostile\12\0b\0a\09\0a\02v1\12\03Pod")
  (data (i32.const 64) "\22\04"))
