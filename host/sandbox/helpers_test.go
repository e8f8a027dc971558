package sandbox

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/loopdock/loopdock/abi"
)

const hostileDir = "../../testdata/hostile"

const page = 64 << 10

// small limits, so that fixtures can be small too.
var small = Limits{MemoryBytes: 4 << 20, ResponseBytes: 64 << 10, LogLineBytes: 64}

// newRuntime makes a runtime that ends with the test.
func newRuntime(t testing.TB, cfg Config) *Runtime {
	t.Helper()
	if cfg.Limits == (Limits{}) {
		cfg.Limits = small
	}
	ctx := context.WithoutCancel(t.Context()) // for the cleanup too
	r, err := New(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return r
}

// read reads a fixture: a hostile one, or of those that serve.
func readFixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(hostileDir, name+".wasm"))
	if errors.Is(err, os.ErrNotExist) {
		b, err = os.ReadFile(filepath.Join("testdata", name+".wasm"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// load loads a fixture, and checks in the end that nothing of it is left.
func load(t testing.TB, r *Runtime, name string) *Module {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	m, err := r.Load(ctx, name+".wasm", readFixture(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(ctx); err != nil {
			t.Error(err)
		}
		wantNothingLeft(t, m)
	})
	return m
}

func wantNothingLeft(t testing.TB, m *Module) {
	t.Helper()
	if n := m.Instances(); n != 0 {
		t.Errorf("%d instances are left", n)
	}
	if n := m.MemoryBytes(); n != 0 {
		t.Errorf("%d bytes of linear memory are left", n)
	}
}

// request is about a key of this name.
func request(name string) *abi.Request {
	return &abi.Request{Key: &abi.Key{Name: name}, NowNS: int64(time.Hour), Seed: 1}
}

// reconcile makes one call in a pool.
func reconcile(t testing.TB, p *Pool, name string) (*abi.Response, error) {
	t.Helper()
	resp, _, err := p.Reconcile(t.Context(), name, request(name), nil, nil)
	return resp, err
}

// numbers are the little-endian numbers that a fixture puts into its memo.
func numbers(memo []byte) []int32 {
	var out []int32
	for ; len(memo) >= 4; memo = memo[4:] {
		out = append(out, int32(binary.LittleEndian.Uint32(memo))) //nolint:gosec // as the guest stored it
	}
	return out
}

// readerFunc is a Reader.
type readerFunc func(ctx context.Context, queries []byte) ([]byte, error)

func (f readerFunc) Read(ctx context.Context, queries []byte) ([]byte, error) { return f(ctx, queries) }

// text is an error's, empty for nil.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
