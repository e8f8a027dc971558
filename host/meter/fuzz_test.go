package meter

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// FuzzRewrite: whatever is rewritten is valid before and after, as wazero sees it.
func FuzzRewrite(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.wasm")
	for _, name := range files {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add(one(opNop))
	f.Add(guest(code(opCall, 2), code()))
	f.Add(generate(bytes.Repeat([]byte{3, 10, 6, 7, 9, 1}, 20)))
	r := wazero.NewRuntimeWithConfig(f.Context(), wazero.NewRuntimeConfigInterpreter())
	f.Cleanup(func() { _ = r.Close(context.WithoutCancel(f.Context())) })
	limits := Limits{MemoryPages: 100, TableElements: 1000, Locals: 1000}
	f.Fuzz(func(t *testing.T, wasm []byte) {
		out, _, err := Rewrite(wasm, Config{Limits: limits})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		if _, err := read(out, Limits{}.withDefaults()); err != nil {
			t.Errorf("what is written is not read: %v", err)
		}
		for what, b := range map[string][]byte{"plain": wasm, "metered": out} {
			compiled, err := r.CompileModule(t.Context(), b)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			_ = compiled.Close(t.Context())
		}
	})
}

// FuzzSame: metered, a module gives the same results, leaves the same memory and
// globals, and traps in the same places.
func FuzzSame(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		b := make([]byte, 20+random.IntN(600))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		wasm := generate(choices[:min(len(choices), 1000)])
		out, _, err := Rewrite(wasm, Config{Fuel: 100, StackBytes: 64 << 20})
		if err != nil {
			t.Fatalf("%v\n% x", err, wasm)
		}
		if os.Getenv("SHOW") != "" {
			t.Logf("%d bytes %s", len(wasm), trace(t, wasm))
		}
		if want, got := trace(t, wasm), trace(t, out); got != want {
			t.Errorf("metered:\n%s\nplain:\n%s", got, want)
		}
	})
}

// trace calls f until it traps, and tells all that can be seen.
func trace(t *testing.T, wasm []byte) string {
	t.Helper()
	r := wazero.NewRuntime(t.Context())
	defer func() { _ = r.Close(t.Context()) }()
	offer := func(module, name string, function any) {
		if _, err := r.NewHostModuleBuilder(module).NewFunctionBuilder().WithFunc(function).Export(name).Instantiate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	offer(ImportModule, ImportRefill, func(int64) int64 { return 100 })
	offer("m", "host", func(a int32, b int64) int64 { return b*31 + int64(a) })
	m, err := r.Instantiate(t.Context(), wasm)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i := range uint64(5) {
		results, err := m.ExportedFunction("f").Call(t.Context(), i, i*i)
		if err != nil {
			line, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Fprintln(&out, line)
		} else {
			fmt.Fprintln(&out, results)
		}
		memory, _ := m.Memory().Read(0, m.Memory().Size())
		hash := uint64(14695981039346656037)
		for _, b := range memory {
			hash = (hash ^ uint64(b)) * 1099511628211
		}
		fmt.Fprintf(&out, "%d bytes of memory, hash %x", len(memory), hash)
		for _, g := range []string{"i32", "i64", "f32", "f64"} {
			fmt.Fprintf(&out, ", %s %x", g, m.ExportedGlobal(g).Get())
		}
		fmt.Fprintln(&out)
		if err != nil {
			return out.String()
		}
	}
	if g, ok := m.ExportedGlobal(ExportStack).(api.MutableGlobal); ok && g.Get() != 64<<20 {
		t.Errorf("%d bytes of stack are left", int64(g.Get()))
	}
	return out.String()
}
