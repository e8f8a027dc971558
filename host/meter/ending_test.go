package meter

import (
	"context"
	"errors"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// host offers a refill, and a function tick that charges a number of units.
type host struct {
	refill func(left int64) int64
	ticks  int
}

func (h *host) instance(t *testing.T, wasm []byte, cfg Config) (api.Module, error) {
	t.Helper()
	out, _, err := Rewrite(wasm, cfg)
	if err != nil {
		t.Fatal(err)
	}
	r := wazero.NewRuntime(t.Context())
	t.Cleanup(func() { _ = r.Close(context.WithoutCancel(t.Context())) })
	_, err = r.NewHostModuleBuilder(ImportModule).NewFunctionBuilder().WithFunc(h.refill).Export(ImportRefill).Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tick := func(_ context.Context, m api.Module, stack []uint64) {
		h.ticks++
		fuel, _ := m.ExportedGlobal(ExportFuel).(api.MutableGlobal)
		fuel.Set(uint64(int64(fuel.Get()) - int64(stack[0])))
	}
	_, err = r.NewHostModuleBuilder("m").NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(tick), []api.ValueType{api.ValueTypeI64}, nil).Export("tick").Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r.Instantiate(t.Context(), out)
}

func fuelOf(m api.Module) int64    { return int64(m.ExportedGlobal(ExportFuel).Get()) }
func stackLeft(m api.Module) int64 { return int64(m.ExportedGlobal(ExportStack).Get()) }

// guest is a module that imports tick, and has functions of type () -> ().
func guest(functions ...[]byte) []byte {
	exports := [][]byte{append(name("tick"), kindFunction, 0)}
	types := appendU32(nil, uint32(len(functions)))
	for i := range functions {
		types = append(types, 1)
		exports = append(exports, append(name(string(rune('a'+i))), kindFunction, byte(i+1)))
	}
	return assembled(
		section(sectionType, list(signature([]valueType{i64}, nil), signature(nil, nil))),
		section(sectionImport, list(append(append(name("m"), name("tick")...), kindFunction, 0))),
		section(sectionFunction, types), section(sectionTable, list([]byte{byte(funcref), 0, 9})),
		section(sectionExport, list(exports...)),
		section(sectionElement, list([]byte{0, opI32Const, 0, opEnd, 1, 0})),
		section(sectionCode, list(functions...)))
}

// TestEndings: after a trap, the counters tell why.
func TestEndings(t *testing.T) {
	wasm := guest(
		code(opLoop, noResult, opBr, 0, opEnd),                           // a: spins
		code(opCall, 2),                                                  // b: recurses
		code(opUnreachable),                                              // c
		code(opI64Const, 0xe4, 0, opCall, 0, opUnreachable),              // d: spends 100 beforehand, and looks no more
		code(opLoop, noResult, opI64Const, 1, opCall, 0, opBr, 0, opEnd), // e: spins with the host
	)
	for _, c := range []struct {
		function    string
		fuel, stack bool
	}{{"a", true, false}, {"b", false, true}, {"c", false, false}, {"d", false, false}, {"e", true, false}} {
		left := 20 // refills, for those that spin
		h := &host{refill: func(int64) int64 { left--; return int64(left)*1000 - 1 }}
		m, err := h.instance(t, wasm, Config{Fuel: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.ExportedFunction(c.function).Call(t.Context()); err == nil {
			t.Errorf("%s does not end", c.function)
		}
		if fuel, stack := fuelOf(m) == OutOfFuel, stackLeft(m) < 0; fuel != c.fuel || stack != c.stack {
			t.Errorf("%s leaves %d units of fuel and %d bytes of stack", c.function, fuelOf(m), stackLeft(m))
		}
	}
}

// TestStart: a start function is metered, and what ends it is its host's word.
func TestStart(t *testing.T) {
	wasm := assembled(voids, section(sectionFunction, []byte{1, 0}), section(sectionStart, []byte{0}), section(sectionCode, list(code(opLoop, noResult, opBr, 0, opEnd))))
	over := errors.New("over")
	h := &host{refill: func(int64) int64 { panic(over) }}
	if _, err := h.instance(t, wasm, Config{}); !errors.Is(err, over) {
		t.Errorf("%v", err)
	}
}

// TestHostCalls: however a host function is called, the guest pays the fixed part,
// and what the host charges is seen.
func TestHostCalls(t *testing.T) {
	wasm := guest(
		code(opI64Const, 0, opCall, 0),
		code(opI64Const, 0, opI32Const, 0, opCallIndirect, 0, 0),
		code(opI32Const, 1, opRefFunc, 0, opTableSet, 0, opI64Const, 0, opI32Const, 1, opCallIndirect, 0, 0),
		code(opI64Const, 0xe4, 0, opCall, 0, opCall, 6), code(opI64Const, 0, opCall, 0), code(opLoop, noResult, opEnd, opCall, 5),
	)
	h := &host{refill: func(int64) int64 { return 1000 }}
	m, err := h.instance(t, wasm, Config{Fuel: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"a", "b", "c", "tick"} {
		before, ticks := fuelOf(m), h.ticks
		var args []uint64
		if f == "tick" {
			args = []uint64{0}
		}
		if _, err := m.ExportedFunction(f).Call(t.Context(), args...); err != nil {
			t.Fatal(err)
		}
		if spent := before - fuelOf(m); spent < costLeave || spent > 2*costLeave+20 || h.ticks != ticks+1 {
			t.Errorf("%s spends %d on %d calls of the host", f, spent, h.ticks-ticks)
		}
	}
	refills := 0
	h.refill = func(left int64) int64 { refills++; return left + 1000 }
	before := fuelOf(m)
	if _, err := m.ExportedFunction("d").Call(t.Context()); err != nil {
		t.Fatal(err)
	}
	if spent := before - fuelOf(m); spent < 100+2*costLeave || spent > 100+3*costLeave {
		t.Errorf("a host function that charges 100 costs %d", spent)
	}
}

// TestOverrun: one way through a function spends little between two looks, be it
// one block or many.
func TestOverrun(t *testing.T) {
	var blocks, straight []byte
	for range 5_000 {
		blocks = append(blocks, opI32Const, 0, opBrIf, 0)
		straight = append(straight, opI32Const, 0, opDrop)
	}
	for range 13 { // and more than is folded
		for range 300 {
			blocks = append(blocks, opI32Const, 1, opDrop)
		}
		blocks = append(blocks, opI32Const, 0, opBrIf, 0)
	}
	most := int64(0)
	h := &host{refill: func(left int64) int64 { most = max(most, -left); return 0 }}
	m, err := h.instance(t, guest(code(append(append([]byte{opBlock, noResult}, blocks...), opEnd)...), code(straight...)), Config{Fuel: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []string{"a", "b"} {
		most = 0
		if _, err := m.ExportedFunction(f).Call(t.Context()); err != nil {
			t.Fatal(err)
		}
		if most > maxBlock+maxUnchecked {
			t.Errorf("%s goes %d beyond", f, most)
		}
	}
}
