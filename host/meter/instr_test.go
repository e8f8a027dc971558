package meter

import (
	"bytes"
	"slices"
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
	default:
	}
	return appendInstr(nil, &in)
}

// TestInstructionsAreWrittenAsRead: each instruction reads as what it was.
func TestInstructionsAreWrittenAsRead(t *testing.T) {
	m, err := read(one(), Limits{}.withDefaults())
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
	defer func() { _ = r.Close(t.Context()) }()
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
			if _, err := read(wasm, Limits{}.withDefaults()); err == nil {
				t.Errorf("0x%02x is read", op)
			}
			if _, err := r.CompileModule(t.Context(), wasm); err == nil {
				t.Errorf("wazero knows 0x%02x", op)
			}
		}
	}
}

var constants = [][]byte{
	{opI32Const, 0},
	{opI64Const, 0},
	{opF32Const, 0, 0, 0, 0},
	{opF64Const, 0, 0, 0, 0, 0, 0, 0, 0},
	append([]byte{prefixVector, 12}, make([]byte, 16)...),
	{opRefNull, byte(funcref)},
	{opRefNull, byte(externref)},
}

var constantTypes = []valueType{i32, i64, f32, f64, v128, funcref, externref}

// operandLists are all lists of at most so many operands.
func operandLists(most int) [][]byte {
	lists, from := [][]byte{nil}, 0
	for range most {
		to := len(lists)
		for _, l := range lists[from:to] {
			for _, c := range constants {
				lists = append(lists, slices.Concat(l, c))
			}
		}
		from = to
	}
	return lists
}

// TestTypes: of each instruction, what it takes and what it leaves has the types
// that wazero says. Of a select with a type, wazero does not compare that type.
func TestTypes(t *testing.T) {
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = r.Close(t.Context()) }()
	both := func(instrs ...byte) bool {
		wasm := one(append(instrs, opUnreachable)...)
		_, err := read(wasm, Limits{}.withDefaults())
		compiled, wazeroErr := r.CompileModule(t.Context(), wasm)
		if wazeroErr == nil {
			_ = compiled.Close(t.Context())
		}
		laxer := err != nil && bytes.Contains(instrs, []byte{opSelectTyped, 1})
		if (err == nil) != (wazeroErr == nil) && !laxer {
			t.Errorf("% x: %v here, and %v by wazero", instrs, err, wazeroErr)
		}
		return err == nil
	}
	two, three := operandLists(2), operandLists(3)
	for _, op := range opcodes() {
		lists := two
		switch s := shapeOf(op); {
		case op == opElse, op == opEnd, op == opBlock, op == opLoop, op == opIf:
			continue
		case op == opSelectTyped, op == opTableFill, len(s.in) > 2 && op != opTableCopy:
			lists = three
		}
		fits := 0
		for _, l := range lists {
			code := slices.Concat(l, sample(op, 0))
			if !both(code...) {
				continue
			}
			if fits++; fits > 2 {
				continue
			}
			for i, typ := range constantTypes {
				both(slices.Concat(code, constants[i], constants[0], []byte{opSelectTyped, 1, byte(typ)})...)
			}
		}
		if fits == 0 && shapeOf(op).imm != immLocal && op != opTableCopy && op != opSelect && op != opRefFunc {
			t.Errorf("0x%02x takes nothing", op)
		}
	}
}
