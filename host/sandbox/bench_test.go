package sandbox

import (
	"strconv"
	"testing"
)

// BenchmarkCall is a call that asks for nothing: what the wall itself costs.
func BenchmarkCall(b *testing.B) {
	p := load(b, newRuntime(b, Config{}), "empty").NewPool(PoolConfig{Controller: "bench"})
	req := request("key")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := p.Reconcile(b.Context(), "key", req, nil, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCallParallel is the same from many goroutines, with as many instances
// as there are processors.
func BenchmarkCallParallel(b *testing.B) {
	p := load(b, newRuntime(b, Config{}), "empty").NewPool(PoolConfig{Controller: "bench", Instances: 8})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		req := request("key")
		for n := 0; pb.Next(); n++ {
			if _, _, err := p.Reconcile(b.Context(), strconv.Itoa(n%8), req, nil, nil); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// BenchmarkInstance is what a trap costs the next call: a new instance.
func BenchmarkInstance(b *testing.B) {
	m := load(b, newRuntime(b, Config{}), "empty")
	b.ReportAllocs()
	for b.Loop() {
		i, _, err := m.newInstance(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		i.close(b.Context())
	}
}
