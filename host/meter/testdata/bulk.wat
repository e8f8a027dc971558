;; Every bulk instruction, on operands that the test gives.
(module
  (memory (export "memory") 8 20)
  (data $long "abcdefghijklmnopqrstuvwxyz")
  (data (i32.const 100) "active")
  (table $a (export "a") 30000 60000 funcref)
  (table $b 20000 externref)
  (elem $few func $f $g $f)
  (elem declare func $g)
  (func $f (result i32) (i32.const 7))
  (func $g (result i32) (i32.const 8))

  (func (export "fill") (param i32 i32 i32) (memory.fill (local.get 0) (local.get 1) (local.get 2)))
  (func (export "copy") (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2)))
  (func (export "init") (param i32 i32 i32) (memory.init $long (local.get 0) (local.get 1) (local.get 2)))
  (func (export "drop") (data.drop $long))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))

  (func (export "table_fill") (param i32 i32 i32)
    (table.fill $a (local.get 0) (if (result funcref) (local.get 1) (then (ref.func $g)) (else (ref.null func))) (local.get 2)))
  (func (export "table_fill_extern") (param i32 externref i32) (table.fill $b (local.get 0) (local.get 1) (local.get 2)))
  (func (export "table_copy") (param i32 i32 i32) (table.copy $a $a (local.get 0) (local.get 1) (local.get 2)))
  (func (export "table_init") (param i32 i32 i32) (table.init $a $few (local.get 0) (local.get 1) (local.get 2)))
  (func (export "elem_drop") (elem.drop $few))
  (func (export "table_grow") (param i32) (result i32) (table.grow $a (ref.func $f) (local.get 0)))

  ;; a hash of what a table holds
  (func (export "table_hash") (result i32) (local $i i32) (local $h i32)
    (loop $next
      (local.set $h (i32.add
        (i32.mul (local.get $h) (i32.const 31))
        (if (result i32) (ref.is_null (table.get $a (local.get $i))) (then (i32.const 1)) (else (call_indirect $a (result i32) (local.get $i))))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (table.size $a))))
    (local.get $h)))
