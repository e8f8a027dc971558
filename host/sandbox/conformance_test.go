package sandbox

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/conformance"
)

// TestConformance: the sandbox is a host as the ABI has it.
func TestConformance(t *testing.T) {
	conformance.Run(t, tested{newRuntime(t, Config{CacheDir: t.TempDir() + "/cache", Limits: Limits{MemoryBytes: 128 << 20}})})
}

// tested lets the conformance kit use a runtime.
type tested struct{ r *Runtime }

func (h tested) Dock(ctx context.Context, name string, wasm []byte) (conformance.Guest, error) {
	m, err := h.r.Load(ctx, name, wasm)
	if err != nil {
		return nil, err
	}
	return &testedGuest{m, m.NewPool(PoolConfig{Controller: "conformance"})}, nil
}

type testedGuest struct {
	*Module
	pool *Pool
}

func (g *testedGuest) Reconcile(ctx context.Context, req *abi.Request, out conformance.Outside) (*abi.Response, error) {
	reader := readerFunc(func(ctx context.Context, queries []byte) ([]byte, error) {
		answers, err := out.Read(ctx, queries)
		switch {
		case errors.Is(err, conformance.ErrMalformed):
			err = fmt.Errorf("%w: %w", ErrMalformed, err)
		case errors.Is(err, conformance.ErrLimit):
			err = fmt.Errorf("%w: %w", ErrReadLimit, err)
		}
		return answers, err
	})
	resp, _, err := g.pool.Reconcile(ctx, req.Key.Name, req, reader, out.Log)
	return resp, err
}

// TestWASICallsAreDocumented: the ABI's document lists the calls that may be
// imported, and no others.
func TestWASICallsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../abi/ABI.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(?:args|environ|clock|poll|sched|random|proc|fd|path)_[^|]*").FindAll(text, -1) {
		for _, name := range regexp.MustCompile("[a-z_]+").FindAllString(string(row), -1) {
			listed[name] = true
		}
	}
	if !maps.Equal(listed, wasiCalls) {
		t.Error(cmp.Diff(wasiCalls, listed))
	}
}
