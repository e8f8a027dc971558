;; Work that computes: a sieve, recursion, a matrix product, a hash.
(module
  (memory (export "memory") 4)

  (func (export "sieve") (param $n i32) (result i32) (local $i i32) (local $j i32) (local $count i32)
    (memory.fill (i32.const 0) (i32.const 0) (local.get $n))
    (local.set $i (i32.const 2))
    (loop $outer
      (if (i32.eqz (i32.load8_u (local.get $i)))
        (then
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (local.set $j (i32.add (local.get $i) (local.get $i)))
          (block $done
            (loop $inner
              (br_if $done (i32.ge_u (local.get $j) (local.get $n)))
              (i32.store8 (local.get $j) (i32.const 1))
              (local.set $j (i32.add (local.get $j) (local.get $i)))
              (br $inner)))))
      (br_if $outer (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $count))

  (func $fib (export "fib") (param $n i32) (result i32)
    (if (result i32) (i32.lt_s (local.get $n) (i32.const 2))
      (then (local.get $n))
      (else (i32.add
        (call $fib (i32.sub (local.get $n) (i32.const 1)))
        (call $fib (i32.sub (local.get $n) (i32.const 2)))))))

  (func (export "matrix") (param $n i32) (result i32) (local $i i32) (local $j i32) (local $k i32) (local $s f64)
    (local.set $i (i32.const 0))
    (loop $rows
      (local.set $j (i32.const 0))
      (loop $columns
        (local.set $k (i32.const 0))
        (local.set $s (f64.const 0))
        (loop $sum
          (local.set $s (f64.add (local.get $s) (f64.mul
            (f64.load (i32.shl (i32.add (i32.mul (local.get $i) (local.get $n)) (local.get $k)) (i32.const 3)))
            (f64.load (i32.shl (i32.add (i32.mul (local.get $k) (local.get $n)) (local.get $j)) (i32.const 3))))))
          (br_if $sum (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (local.get $n))))
        (f64.store (i32.shl (i32.add (i32.mul (local.get $i) (local.get $n)) (local.get $j)) (i32.const 3)) (local.get $s))
        (br_if $columns (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 1))) (local.get $n))))
      (br_if $rows (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (i32.trunc_sat_f64_s (local.get $s)))

  (func (export "hash") (param $n i32) (result i32) (local $i i32) (local $h i32)
    (local.set $h (i32.const 0x811c9dc5))
    (loop $bytes
      (local.set $h (i32.mul (i32.xor (local.get $h) (i32.load8_u (i32.and (local.get $i) (i32.const 0xffff)))) (i32.const 0x01000193)))
      (br_if $bytes (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $h)))
