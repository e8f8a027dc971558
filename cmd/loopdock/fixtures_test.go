package main

import (
	"encoding/binary"

	"github.com/loopdock/loopdock/abi"
)

// doNothing is a guest that is asked for nothing but its manifest, and answers
// each reconcile with nothing. It has one controller, called as the module.
func doNothing(name string, change func(*abi.Manifest)) []byte {
	m := &abi.Manifest{Name: name, Version: "v1", Controllers: []abi.Controller{{
		Name: name, Primary: &abi.PrimaryKeys{Kind: &abi.Kind{APIVersion: "v1", Kind: "ConfigMap"}},
	}}}
	if change != nil {
		change(m)
	}
	return assemble(m.Append(nil))
}

// assemble writes a module whose manifest is as given:
//
//	(module
//	  (memory (export "memory") 1)
//	  (func (export "loopdock_abi_1"))
//	  (func (export "loopdock_alloc") (param i32) (result i32) (i32.const 1024))
//	  (func (export "loopdock_describe") (result i64) (i64.const …))
//	  (func (export "loopdock_reconcile") (param i32 i32) (result i64) (i64.const 0))
//	  (data (i32.const 8) "…"))
func assemble(manifest []byte) []byte {
	const manifestAt = 8
	i32, i64 := byte(0x7f), byte(0x7e)
	constant := func(opcode byte, n int64) []byte { return append(append([]byte{0, opcode}, signed(n)...), 0x0b) }
	export := func(name string, kind, index byte) []byte { return append(bytesOf([]byte(name)), kind, index) }
	out := []byte("\x00asm\x01\x00\x00\x00")
	for _, s := range []struct {
		id    byte
		items [][]byte
	}{
		{1, [][]byte{{0x60, 0, 0}, {0x60, 1, i32, 1, i32}, {0x60, 0, 1, i64}, {0x60, 2, i32, i32, 1, i64}}},
		{3, [][]byte{{0}, {1}, {2}, {3}}},
		{5, [][]byte{{0, 1}}},
		{7, [][]byte{
			export(abi.ExportMemory, 2, 0), export(abi.ExportMarker, 0, 0), export(abi.ExportAlloc, 0, 1),
			export(abi.ExportDescribe, 0, 2), export(abi.ExportReconcile, 0, 3),
		}},
		{10, [][]byte{
			bytesOf([]byte{0, 0x0b}), bytesOf(constant(0x41, 1024)),
			bytesOf(constant(0x42, manifestAt<<32|int64(len(manifest)))), bytesOf(constant(0x42, 0)),
		}},
		{11, [][]byte{append([]byte{0, 0x41, manifestAt, 0x0b}, bytesOf(manifest)...)}},
	} {
		body := binary.AppendUvarint(nil, uint64(len(s.items)))
		for _, item := range s.items {
			body = append(body, item...)
		}
		out = append(append(out, s.id), bytesOf(body)...)
	}
	return out
}

// bytesOf puts the length before some bytes.
func bytesOf(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }

// signed is n in signed LEB128.
func signed(n int64) []byte {
	var out []byte
	for {
		b := byte(n & 0x7f)
		n >>= 7
		if (n == 0 && b&0x40 == 0) || (n == -1 && b&0x40 != 0) {
			return append(out, b)
		}
		out = append(out, b|0x80)
	}
}
