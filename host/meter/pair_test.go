package meter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/loopdock/loopdock/host/meter"
)

// pair is a module plain and metered, side by side.
type pair struct {
	plain, metered api.Module
	tank           *tank
}

func newPair(tb testing.TB, wasm []byte, slice int64) *pair {
	tb.Helper()
	out, _ := metered(tb, wasm, meter.Config{Fuel: slice})
	p := &pair{tank: &tank{slice: slice}}
	p.plain, p.metered = p.instance(tb, wasm), p.instance(tb, out)
	return p
}

func (p *pair) instance(tb testing.TB, wasm []byte) api.Module {
	tb.Helper()
	r := newRuntime(tb, wazero.NewRuntimeConfig())
	p.tank.offer(tb, r)
	_, err := r.NewHostModuleBuilder("env").NewFunctionBuilder().
		WithFunc(func(v int32) int32 { return v ^ 0x55 }).Export("host").Instantiate(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	m, err := r.Instantiate(tb.Context(), wasm)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// call compares a call's outcomes, results, memory and traps, and gives them.
func (p *pair) call(tb testing.TB, f string, args ...uint64) string {
	tb.Helper()
	want, got := outcome(tb.Context(), p.plain, f, args), outcome(tb.Context(), p.metered, f, args)
	if got != want {
		tb.Fatalf("%s(%d) gives %s, not %s", f, args, got, want)
	}
	if p.plain.Memory() != nil {
		a, _ := p.plain.Memory().Read(0, p.plain.Memory().Size())
		b, _ := p.metered.Memory().Read(0, p.metered.Memory().Size())
		if !bytes.Equal(a, b) {
			tb.Fatalf("%s(%d) leaves another memory", f, args)
		}
	}
	return got
}

func outcome(ctx context.Context, m api.Module, f string, args []uint64) string {
	out, err := m.ExportedFunction(f).Call(ctx, args...)
	if err != nil {
		return firstLine(err)
	}
	return fmt.Sprint(out)
}

// stack is how much stack the metered instance has left.
func (p *pair) stack() int64 {
	return int64(p.metered.ExportedGlobal(meter.ExportStack).Get())
}

// TestControl: every control construct does as before, and every way out of a
// function gives its frame back.
func TestControl(t *testing.T) {
	wasm := readFile(t, "testdata/control.wasm")
	for _, f := range []string{"loop", "table", "pairs", "indirect", "dead", "trap", "refs", "deep"} {
		for _, slice := range []int64{1, 7, 1000} {
			p := newPair(t, wasm, slice)
			for _, n := range []uint64{0, 1, 2, 3, 4, 5, 39, 40, 41, 42, 60, 200} {
				switch {
				case f == "pairs" && n == 0: // it counts down
					continue
				case f == "trap":
					p = newPair(t, wasm, slice) // instances do not survive traps
				}
				p.call(t, f, n)
				if left := p.stack(); f != "trap" && left != 1<<20 && f != "indirect" {
					t.Errorf("%s(%d) leaves %d bytes of stack", f, n, left)
				}
			}
		}
	}
}

// TestStack: a recursion ends before the native stack does, and an embedder can
// tell so.
func TestStack(t *testing.T) {
	p := newPair(t, readFile(t, "testdata/control.wasm"), 1_000_000)
	if got := outcome(t.Context(), p.metered, "deep", []uint64{5000}); got != "[5000]" {
		t.Errorf("a recursion of 5000 gives %s", got)
	}
	if got := outcome(t.Context(), p.metered, "forever", nil); got != "wasm error: unreachable" || p.stack() >= 0 {
		t.Errorf("a recursion without end gives %s with %d bytes of stack", got, p.stack())
	}
	p = newPair(t, readFile(t, "testdata/control.wasm"), 1_000_000)
	if got := outcome(t.Context(), p.metered, "trap", []uint64{3}); got != "wasm error: unreachable" || p.stack() < 0 {
		t.Errorf("the guest's own unreachable gives %s with %d bytes of stack", got, p.stack())
	}
}

// TestFuel: whatever spins runs out of fuel, and the call's error is the
// embedder's own.
func TestFuel(t *testing.T) {
	wasm, _ := metered(t, readFile(t, "testdata/control.wasm"), meter.Config{Fuel: 1000})
	for _, f := range []string{"spin", "spin_table", "spin_fill", "spin_call"} {
		p := &pair{tank: &tank{slice: 1000, budget: 50_000_000}}
		m := p.instance(t, wasm)
		var args []uint64
		if f == "spin_call" {
			args = append(args, 0)
		}
		_, err := m.ExportedFunction(f).Call(t.Context(), args...)
		if !errors.Is(err, errOutOfFuel) {
			t.Errorf("%s ends by %v", f, err)
		}
		if over := p.tank.spent - p.tank.budget; over > 20_000 {
			t.Errorf("%s spent %d more than it had", f, over)
		}
	}
}
