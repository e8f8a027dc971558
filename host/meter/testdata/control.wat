;; Every control construct, and every way out of a function.
(module
  (import "env" "host" (func $host (param i32) (result i32)))
  (type $pair (func (param i32) (result i32 i64)))
  (table funcref (elem $double $fact $pair))
  (global $seen (mut i32) (i32.const 0))
  (global $ref funcref (ref.func $double))
  (global (export "seen") (mut i32) (i32.const 5))

  (func $double (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
  (func $fact (param i32) (result i32)
    (if (result i32) (i32.le_s (local.get 0) (i32.const 1)) (then (i32.const 1))
      (else (i32.mul (local.get 0) (call $fact (i32.sub (local.get 0) (i32.const 1)))))))
  (func $pair (type $pair) (if (local.get 0) (then (return (i32.const 1) (i64.const 2)))) (i32.const 3) (i64.const 4))

  ;; a loop with a parameter, left in three ways
  (func (export "loop") (param $n i32) (result i32) (local $i i32)
    (block $out (result i32)
      (i32.const 0)
      (loop $l (param i32) (result i32)
        (i32.add (local.get $i))
        (br_if $out (i32.gt_s (local.get $i) (i32.const 50)))
        (if (i32.eq (local.get $i) (i32.const 40)) (then (return (i32.const -1))))
        (br_if $l (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n)))))
    (call $host))

  ;; every target of a table, the function's own label among them
  (func (export "table") (param $n i32) (result i32)
    (block $d
      (block $c (result i32)
        (block $b (result i32)
          (block $a (result i32)
            (br_table $a $b $c 4 (i32.const 100) (local.get $n)))
          (i32.add (i32.const 1)))
        (i32.add (i32.const 10))
        (call $fact (i32.const 5))
        (i32.add))
      (return))
    (i32.const 9))

  (func (export "pairs") (param $n i32) (result i64 i32) (local $s i64)
    (loop $l
      (call $pair (i32.rem_u (local.get $n) (i32.const 3)))
      (local.set $s (i64.add (local.get $s)))
      (global.set $seen (i32.add (global.get $seen)))
      (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
    (local.get $s) (global.get $seen))

  (func (export "indirect") (param $n i32) (result i32)
    (call_indirect (param i32) (result i32) (i32.const 6) (local.get $n)))

  (func (export "dead") (param $n i32) (result i32)
    (block $x (result i32)
      (br $x (call $double (local.get $n)))
      (loop (br 0))
      (if (then (unreachable) (i32.add) (drop)) (else (br 1 (i32.const 0))))
      (i32.add)))

  (func (export "trap") (param $n i32) (result i32)
    (call $host (i32.div_s (i32.const 100) (local.get $n)))
    (if (i32.eq (local.get $n) (i32.const 3)) (then (unreachable)))
    (i32.add (call $fact (local.get $n))))

  (func (export "refs") (param $n i32) (result i32)
    (select (result funcref) (ref.null func) (global.get $ref) (local.get $n))
    (ref.is_null))

  (func $deep (export "deep") (param $n i32) (result i32)
    (if (result i32) (local.get $n) (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get $n) (i32.const 1)))))
      (else (i32.const 0))))
  (func $forever (export "forever") (call $forever))
  (func (export "spin") (loop (br 0)))
  (func (export "spin_table") (loop (br_table 0 0 (i32.const 0))))
  (func (export "spin_fill") (loop (memory.fill (i32.const 0) (i32.const 0) (i32.const 0x100000)) (br 0)))
  (func (export "spin_call") (param i32) (loop (drop (call $double (i32.const 1))) (br 0)))
  (memory 16))
