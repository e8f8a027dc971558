package sandbox

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/loopdock/loopdock/abi"
)

// seen is what the fixture tells of its world.
type seen struct{ Wall, Monotonic, Slept, Random uint64 }

func look(t *testing.T, p *Pool, now int64, seed uint64) seen {
	t.Helper()
	resp, _, err := p.Reconcile(t.Context(), "key", &abi.Request{NowNS: now, Seed: seed}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(resp.Memo[8*i:]) }
	return seen{word(0), word(1), word(2), word(3)}
}

// TestTimeAndChanceComeFromTheRequest, whatever was called before and in which
// instance.
func TestTimeAndChanceComeFromTheRequest(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "world")
	p, other := m.NewPool(PoolConfig{}), m.NewPool(PoolConfig{})
	const now = 1_800_000_000_123_456_789
	first := look(t, p, now, 7)
	want := seen{Wall: now, Monotonic: now, Slept: now + uint64(time.Second), Random: first.Random}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Error(diff)
	}
	later := look(t, p, now+5, 8)
	if later.Wall != now+5 {
		t.Errorf("the second call's clock shows %d", later.Wall)
	}
	if later.Random == first.Random {
		t.Error("another seed gives the same numbers")
	}
	for name, pool := range map[string]*Pool{"the same instance": p, "another one": other} {
		if diff := cmp.Diff(first, look(t, pool, now, 7)); diff != "" {
			t.Errorf("%s sees something else\n%s", name, diff)
		}
	}
}

// TestWASICallsExist: each call on the list is one that wazero has, so that the
// list says nothing that does not hold.
func TestWASICallsExist(t *testing.T) {
	r := newRuntime(t, Config{})
	b := r.wazero.NewHostModuleBuilder("all")
	wasi_snapshot_preview1.NewFunctionExporter().ExportFunctions(b)
	all, err := b.Compile(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name := range wasiCalls {
		if _, ok := all.ExportedFunctions()[name]; !ok {
			t.Errorf("WASI has no %s", name)
		}
	}
}
