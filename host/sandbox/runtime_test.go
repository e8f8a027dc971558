package sandbox

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
)

// TestNewRefuses what can't be meant.
func TestNewRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		limits Limits
		want   string
	}{
		"none":     {"less than a page runs nothing", Limits{MemoryBytes: 1}, "cannot limit linear memory to 1 bytes: it is between 64 KiB and 4 GiB"},
		"lots":     {"pointers have 32 bits", Limits{MemoryBytes: 1 << 40}, "cannot limit linear memory to 1099511627776 bytes: it is between 64 KiB and 4 GiB"},
		"response": {"a negative length", Limits{ResponseBytes: -1}, "cannot limit responses to -1 bytes: the number is negative"},
		"line":     {"a negative length", Limits{LogLineBytes: -1}, "cannot limit log lines to -1 bytes: the number is negative"},
		"fuel":     {"less than a slice", Limits{Fuel: slice - 1}, "cannot limit calls to 999999 units of fuel: it is 1000000 or more"},
		"stack":    {"no room for a frame", Limits{StackBytes: 100}, "cannot limit the stack of calls to 100 bytes: it is 4 KiB or more"},
		"time":     {"a negative time", Limits{CallTimeout: -time.Second}, "cannot limit calls to -1s: the time is negative"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := New(t.Context(), Config{Limits: tc.limits})
			if diff := cmp.Diff(tc.want, text(err)); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

// TestModule: what a module says of itself.
func TestModule(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "read")
	if diff := cmp.Diff([]string{"loopdock_abi_1.read"}, m.Imports()); diff != "" {
		t.Error(diff)
	}
	want := []string{"loopdock_abi_1", "loopdock_alloc", "loopdock_describe", "loopdock_reconcile", "memory"}
	if diff := cmp.Diff(want, m.Exports()); diff != "" {
		t.Error(diff)
	}
	if m.Size() != len(readFixture(t, "read")) || len(m.Digest()) != 64 {
		t.Errorf("size %d, digest %s", m.Size(), m.Digest())
	}
	if m.Manifest().Name != "hostile" || m.Manifest().Controllers[0].Primary.Kind.Kind != "Pod" {
		t.Errorf("%+v", m.Manifest())
	}
	wantNothingLeft(t, m) // docking left no instance
}

// gauge reads a series of the controller "c".
func gauge(t *testing.T, g prometheus.Gatherer, name string) float64 {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == "loopdock_guest_"+name {
			m := f.GetMetric()[0]
			return m.GetGauge().GetValue() + m.GetCounter().GetValue()
		}
	}
	return 0
}

// TestMetrics: they follow instances and memory through a swap of pools, and
// through a trap.
func TestMetrics(t *testing.T) {
	reg := prometheus.NewRegistry()
	r := newRuntime(t, Config{Registerer: reg})
	m, next := load(t, r, "count"), load(t, r, "count")
	check := func(what string, instances, traps float64) {
		t.Helper()
		got := []float64{gauge(t, reg, "instances"), gauge(t, reg, "memory_bytes"), gauge(t, reg, "traps_total")}
		if diff := cmp.Diff([]float64{instances, instances * page, traps}, got); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	old := m.NewPool(PoolConfig{Controller: "c", Instances: 2})
	a, b := twoKeys(old)
	calls(t, old, a)
	calls(t, old, b)
	check("two instances", 2, 0)
	calls(t, next.NewPool(PoolConfig{Controller: "c"}), a)
	check("beside a new one", 3, 0)
	if _, err := reconcile(t, old, "trap"); err == nil {
		t.Fatal("no trap")
	}
	check("after a trap", 2, 1)
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("after the old one's end", 1, 1)
	if err := next.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("in the end", 0, 1)
}

// TestMetricsTwice: two runtimes can't share a registry, and the second says so.
func TestMetricsTwice(t *testing.T) {
	reg := prometheus.NewRegistry()
	newRuntime(t, Config{Registerer: reg})
	_, err := New(t.Context(), Config{Registerer: reg})
	want := "cannot register the metrics of guests: duplicate metrics collector registration attempted"
	if diff := cmp.Diff(want, text(err)); diff != "" {
		t.Error(diff)
	}
}
