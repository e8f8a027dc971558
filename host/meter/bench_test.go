package meter_test

import (
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/loopdock/loopdock/host/meter"
)

// BenchmarkCompute is work that does nothing but compute, plain, metered, and by
// wazero's own way of ending a call.
func BenchmarkCompute(b *testing.B) {
	wasm := readFile(b, "testdata/compute.wasm")
	out, _ := metered(b, wasm, meter.Config{})
	for _, work := range []struct {
		name string
		n    uint64
	}{{"sieve", 100_000}, {"fib", 24}, {"matrix", 64}, {"hash", 500_000}} {
		for _, c := range []struct {
			name   string
			wasm   []byte
			config wazero.RuntimeConfig
		}{
			{"plain", wasm, wazero.NewRuntimeConfig()},
			{"metered", out, wazero.NewRuntimeConfig()},
			{"closeOnContextDone", wasm, wazero.NewRuntimeConfig().WithCloseOnContextDone(true)},
		} {
			b.Run(work.name+"/"+c.name, func(b *testing.B) {
				r, k := newRuntime(b, c.config), &tank{slice: 1_000_000}
				k.offer(b, r)
				guest, err := r.Instantiate(b.Context(), c.wasm)
				if err != nil {
					b.Fatal(err)
				}
				f := guest.ExportedFunction(work.name)
				for b.Loop() {
					if _, err := f.Call(b.Context(), work.n); err != nil {
						b.Fatal(err)
					}
				}
				if k.spent > 0 {
					b.ReportMetric(float64(k.spent)/b.Elapsed().Seconds()/1e9, "units/ns")
				}
			})
		}
	}
}

// BenchmarkReconcile is the work of the project's guests, plain and metered.
func BenchmarkReconcile(b *testing.B) {
	guests(b) // skips without
	for _, j := range jobs() {
		wasm := readFile(b, "../../.build/guests/"+j.guest+".wasm")
		out, _ := metered(b, wasm, meter.Config{})
		for _, c := range []struct {
			name string
			wasm []byte
		}{{"plain", wasm}, {"metered", out}} {
			b.Run(j.guest+"/"+c.name, func(b *testing.B) {
				k := &tank{slice: 1_000_000}
				w := newWorker(b, j, c.wasm, k)
				for b.Loop() {
					w.reconcile(b)
				}
				if k.spent > 0 {
					b.ReportMetric(float64(k.spent)/b.Elapsed().Seconds()/1e9, "units/ns")
				}
			})
		}
	}
}

// BenchmarkRewrite is what metering adds to loading a guest, and BenchmarkCompile
// what compiling takes.
func BenchmarkRewrite(b *testing.B) {
	wasm := readFile(b, "../../.build/guests/replicaset.wasm")
	b.SetBytes(int64(len(wasm)))
	for b.Loop() {
		metered(b, wasm, meter.Config{})
	}
}

func BenchmarkCompile(b *testing.B) {
	wasm := readFile(b, "../../.build/guests/replicaset.wasm")
	out, _ := metered(b, wasm, meter.Config{})
	for _, c := range []struct {
		name string
		wasm []byte
	}{{"plain", wasm}, {"metered", out}} {
		b.Run(c.name, func(b *testing.B) {
			r := newRuntime(b, wazero.NewRuntimeConfig())
			for b.Loop() {
				compiled, err := r.CompileModule(b.Context(), c.wasm)
				if err != nil {
					b.Fatal(err)
				}
				_ = compiled.Close(b.Context())
			}
		})
	}
}
