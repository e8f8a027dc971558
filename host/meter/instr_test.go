package meter

import (
	"bytes"
	"context"
	"testing"

	"github.com/tetratelabs/wazero"
)

// opcodes are all that the tables know.
func opcodes() (out []uint16) {
	for i := range 256 {
		if plain[i].imm != immUnknown {
			out = append(out, uint16(i))
		}
		if misc[i].imm != immUnknown {
			out = append(out, prefixMisc<<8|uint16(i))
		}
		if vector[i].imm != immUnknown {
			out = append(out, prefixVector<<8|uint16(i))
		}
	}
	return out
}

// sample writes an instruction with an immediate that fits the module of one.
func sample(op uint16, lane byte) []byte {
	in := instr{op: op, imm: shapeOf(op).imm, lane: lane, targets: []uint32{0, 0}}
	switch in.imm {
	case immBlock:
		in.value = noResult - 0x80
	case immTypes, immRefType:
		in.value = int64(funcref)
	case immBytes4:
		in.bytes = []byte{1, 2, 3, 4}
	case immBytes8:
		in.bytes = []byte{1, 2, 3, 4, 5, 6, 7, 8}
	case immBytes16:
		in.bytes = bytes.Repeat([]byte{7}, 16)
	}
	return appendInstr(nil, &in)
}

// TestInstructionsAreWrittenAsRead: each instruction reads as what it was.
func TestInstructionsAreWrittenAsRead(t *testing.T) {
	m, err := Read(one(), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ops := opcodes()
	if len(ops) < 172+18+236 {
		t.Errorf("%d instructions are known, which is too few", len(ops))
	}
	for _, op := range ops {
		b := sample(op, 0)
		c := cursor{b: b, end: len(b)}
		d := decoder{m: m, c: &c, locals: 1, labels: 1}
		in := d.next()
		if err := c.finish("instruction"); err != nil {
			t.Errorf("0x%02x: %v", op, err)
			continue
		}
		if got := appendInstr(nil, &in); !bytes.Equal(got, b) {
			t.Errorf("0x%02x: % x is written as % x", op, b, got)
		}
	}
}

// TestOtherInstructionsAreRefused: what no table knows is an error, and wazero
// does not know it either.
func TestOtherInstructionsAreRefused(t *testing.T) {
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = r.Close(context.Background()) }()
	known := map[uint16]bool{}
	for _, op := range opcodes() {
		known[op] = true
	}
	for prefix := range 3 {
		for sub := range 256 {
			op := []uint16{0, prefixMisc << 8, prefixVector << 8}[prefix] | uint16(sub)
			if known[op] || op == prefixMisc || op == prefixVector {
				continue
			}
			wasm := one(append([]byte{opUnreachable}, appendOp(nil, op)...)...)
			if _, err := Read(wasm, Limits{}); err == nil {
				t.Errorf("0x%02x is read", op)
			}
			if _, err := r.CompileModule(t.Context(), wasm); err == nil {
				t.Errorf("wazero knows 0x%02x", op)
			}
		}
	}
}

var constants = [][]byte{
	{opI32Const, 0}, {opI64Const, 0}, {opF32Const, 0, 0, 0, 0}, {opF64Const, 0, 0, 0, 0, 0, 0, 0, 0},
	append([]byte{prefixVector, 12}, make([]byte, 16)...), {opRefNull, byte(funcref)}, {opRefNull, byte(externref)},
}

// TestShapes: of each instruction, wazero accepts some operands, as many as the
// table says it takes, if what the table says it leaves is dropped.
func TestShapes(t *testing.T) {
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = r.Close(context.Background()) }()
	for _, op := range opcodes() {
		switch op {
		case opElse, opEnd, opBlock, opLoop, opIf, opBr, opBrIf, opBrTable, opReturn, opUnreachable, opCallIndirect:
			continue // the walk works them out
		}
		s := shapeOf(op)
		if !accepted(t, r, op, int(s.pop), int(s.push), nil) {
			t.Errorf("0x%02x does not take %d operands and leave %d", op, s.pop, s.push)
		}
	}
}

// accepted tries all operands.
func accepted(t *testing.T, r wazero.Runtime, op uint16, pop, push int, operands []byte) bool {
	if pop > 0 {
		for _, c := range constants {
			if accepted(t, r, op, pop-1, push, append(operands[:len(operands):len(operands)], c...)) {
				return true
			}
		}
		return false
	}
	b := append(operands[:len(operands):len(operands)], sample(op, 0)...)
	if imm := shapeOf(op).imm; imm == immLocal {
		return true // there are none to try
	}
	wasm := one(append(b, bytes.Repeat([]byte{opDrop}, push)...)...)
	if _, err := Read(wasm, Limits{}); err != nil {
		t.Fatalf("0x%02x: %v", op, err)
	}
	compiled, err := r.CompileModule(t.Context(), wasm)
	if err == nil {
		_ = compiled.Close(t.Context())
	}
	return err == nil
}
