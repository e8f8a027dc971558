package meter

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// recursion is a module whose function 0 has a type and code and ends by calling
// itself; its export f calls it. Function 2 is (i32) -> (i64).
func recursion(t funcType, locals []localRun, instrs []byte) []byte {
	zero := map[valueType][]byte{i32: constants[0], i64: constants[1], f64: constants[3], v128: constants[4]}
	var start []byte
	for _, p := range t.params {
		start = append(start, zero[p]...)
	}
	start = append(append(start, opCall, 0), bytes.Repeat([]byte{opDrop}, len(t.results))...)
	runs := appendU32(nil, uint32(len(locals)))
	for _, l := range locals {
		runs = append(appendU32(runs, l.n), byte(l.typ))
	}
	again := append(gets(len(t.params)), opCall, 0)
	return assembled(
		section(sectionType, list(appendType(nil, t), signature(nil, nil), signature([]valueType{i32}, []valueType{i64}))),
		section(sectionFunction, []byte{3, 0, 1, 2}), section(sectionMemory, list([]byte{0, 1})),
		section(sectionGlobal, list([]byte{byte(i64), 1, opI64Const, 0, opEnd})),
		section(sectionExport, list(append(name("f"), kindFunction, 1))),
		section(sectionCode, list(appendBytes(nil, slices.Concat(runs, instrs, again, []byte{opEnd})), code(start...), code(opI64Const, 5))))
}

func gets(n int) (b []byte) {
	for i := range n {
		b = append(b, opLocalGet, byte(i))
	}
	return b
}

// recursions are functions that take much of the native stack, each for a reason
// of its own.
func recursions() map[string][]byte {
	out := map[string][]byte{}
	for _, n := range []int{1, 20, 60} {
		for _, v := range []valueType{i64, f64, v128} {
			many := slices.Repeat([]valueType{v}, n)
			out[fmt.Sprintf("%d params of %v", n, v)] = recursion(funcType{params: many}, nil, nil)
			out[fmt.Sprintf("%d results of %v", n, v)] = recursion(funcType{params: many, results: many}, nil, nil)
			var sets []byte
			for i := range n {
				sets = append(sets, opLocalSet, byte(i))
			}
			out[fmt.Sprintf("%d operands of %v", n, v)] = recursion(funcType{params: many}, nil, slices.Concat(gets(n), gets(n), []byte{opCall, 0}, sets))
		}
	}
	address, loaded := funcType{params: []valueType{i32}}, []byte{opLocalGet, 0, 0x29, 3, 8}
	for _, n := range []int{10, 1000} {
		out[fmt.Sprintf("%d operands over calls", n)] = recursion(address, nil,
			bytes.Repeat(slices.Concat(loaded, []byte{opLocalGet, 0, opCall, 2, opI64Add, opGlobalSet, 0}), n))
		out[fmt.Sprintf("%d locals over calls", n)] = recursion(address, []localRun{{1, i64}},
			bytes.Repeat(slices.Concat(loaded, []byte{opLocalSet, 1, opLocalGet, 0, opCall, 2, opDrop, opLocalGet, 1, opGlobalSet, 0}), n))
		out[fmt.Sprintf("%d sums of 100", n/10)] = recursion(address, nil,
			bytes.Repeat(slices.Concat(bytes.Repeat(loaded, 100), bytes.Repeat([]byte{opI64Add}, 99), []byte{opGlobalSet, 0}), n/10))
	}
	return out
}

// TestNativeStack: a recursion ends before it has taken much more of the native
// stack than it may, whatever makes its frame large.
func TestNativeStack(t *testing.T) {
	for what, wasm := range recursions() {
		out, _, err := Rewrite(wasm, Config{StackBytes: 1 << 20})
		if err != nil {
			t.Fatal(what, err)
		}
		r := wazero.NewRuntime(t.Context())
		defer func() { _ = r.Close(t.Context()) }()
		_, err = r.NewHostModuleBuilder(ImportModule).NewFunctionBuilder().WithFunc(func(int64) int64 { return 1 << 40 }).Export(ImportRefill).Instantiate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		guest, err := r.Instantiate(t.Context(), out)
		if err != nil {
			t.Fatal(what, err)
		}
		grown := stackOf(t, guest)
		if left := int64(guest.ExportedGlobal(ExportStack).Get()); left >= 0 {
			t.Errorf("%s: it ends with %d bytes of stack left", what, left)
		}
		// The stack grows by doubling, and what it was before counts too.
		if grown > 6<<20 {
			t.Errorf("%s: it took stacks of %d bytes in all", what, grown)
		}
	}
}

// stackOf calls f and gives what was allocated meanwhile.
func stackOf(t *testing.T, guest api.Module) uint64 {
	t.Helper()
	f := guest.ExportedFunction("f")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := f.Call(t.Context()); err == nil {
		t.Error("a recursion without end comes to one")
	}
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
