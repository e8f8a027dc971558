package meter_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/loopdock/loopdock/host/meter"
)

// describe instantiates a guest and asks it for its manifest.
func describe(tb testing.TB, r wazero.Runtime, wasm []byte) (api.Module, []byte) {
	tb.Helper()
	guest, err := r.InstantiateWithConfig(tb.Context(), wasm, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		tb.Fatal(err)
	}
	return guest, manifest(tb, guest)
}

func manifest(tb testing.TB, guest api.Module) []byte {
	tb.Helper()
	out, err := guest.ExportedFunction("loopdock_describe").Call(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	b, ok := guest.Memory().Read(uint32(out[0]>>32), uint32(out[0]))
	if !ok {
		tb.Fatal("the manifest is outside of memory")
	}
	return b
}

// TestGuests: metered guests describe themselves as before.
func TestGuests(t *testing.T) {
	for i, name := range guests(t) {
		if sampled && i > 0 {
			break
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			wasm := readFile(t, name)
			out, info := metered(t, wasm, meter.Config{Fuel: 1000})
			t.Logf("%d -> %d bytes: %+v", len(wasm), len(out), info)
			r, k := newRuntime(t, wazero.NewRuntimeConfig()), &tank{slice: 1000}
			offerABI(t, r)
			k.offer(t, r)
			_, want := describe(t, r, wasm)
			guest, got := describe(t, r, out)
			if !bytes.Equal(got, want) {
				t.Errorf("it describes itself as %q, not %q", got, want)
			}
			if k.calls == 0 {
				t.Error("it spent nothing")
			}
			if left := guest.ExportedGlobal(meter.ExportStack).Get(); left != 1<<20 {
				t.Errorf("%d bytes of stack are left after the call", int64(left))
			}
			t.Logf("%d slices, %d units", k.calls, k.spent)
		})
	}
}

// BenchmarkDescribe is a call of the replicaset guest, plain and metered.
func BenchmarkDescribe(b *testing.B) {
	wasm := readFile(b, "../../.build/guests/replicaset.wasm")
	out, _ := metered(b, wasm, meter.Config{})
	for _, c := range []struct {
		name string
		wasm []byte
	}{{"plain", wasm}, {"metered", out}} {
		b.Run(c.name, func(b *testing.B) {
			r := newRuntime(b, wazero.NewRuntimeConfig())
			offerABI(b, r)
			(&tank{slice: 1_000_000}).offer(b, r)
			guest, _ := describe(b, r, c.wasm)
			for b.Loop() {
				manifest(b, guest)
			}
		})
	}
}
