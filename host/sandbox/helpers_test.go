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
func newRuntime(tb testing.TB, cfg Config) *Runtime {
	tb.Helper()
	if cfg.Limits == (Limits{}) {
		cfg.Limits = small
	}
	ctx := context.WithoutCancel(tb.Context()) // for the cleanup too
	r, err := New(ctx, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(ctx); err != nil {
			tb.Error(err)
		}
	})
	return r
}

// readFixture reads a fixture: a hostile one, or of those that serve.
func readFixture(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(filepath.Join(hostileDir, name+".wasm"))
	if errors.Is(err, os.ErrNotExist) {
		b, err = os.ReadFile(filepath.Join("testdata", name+".wasm"))
	}
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// load loads a fixture, and checks in the end that nothing of it is left.
func load(tb testing.TB, r *Runtime, name string) *Module {
	tb.Helper()
	ctx := context.WithoutCancel(tb.Context())
	m, err := r.Load(ctx, name+".wasm", readFixture(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := m.Close(ctx); err != nil {
			tb.Error(err)
		}
		wantNothingLeft(tb, m)
	})
	return m
}

func wantNothingLeft(tb testing.TB, m *Module) {
	tb.Helper()
	if n := m.Instances(); n != 0 {
		tb.Errorf("%d instances are left", n)
	}
	if n := m.MemoryBytes(); n != 0 {
		tb.Errorf("%d bytes of linear memory are left", n)
	}
}

// request is about a key of this name.
func request(name string) *abi.Request {
	return &abi.Request{Key: &abi.Key{Name: name}, NowNS: int64(time.Hour), Seed: 1}
}

// reconcile makes one call in a pool.
func reconcile(tb testing.TB, p *Pool, name string) (*abi.Response, error) {
	tb.Helper()
	resp, _, err := p.Reconcile(tb.Context(), name, request(name), nil, nil)
	return resp, err
}

// numbers are the little-endian numbers that a fixture puts into its memo.
func numbers(memo []byte) []int32 {
	var out []int32
	for ; len(memo) >= 4; memo = memo[4:] {
		out = append(out, int32(binary.LittleEndian.Uint32(memo)))
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
