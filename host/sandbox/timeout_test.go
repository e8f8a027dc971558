package sandbox

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// spinning are the fixtures that never return.
var spinning = map[string]bool{"spin": true, "initialize-spin": true}

func timeLimited(d time.Duration) Config {
	limits := small
	limits.CallTimeout = d
	return Config{Limits: limits}
}

// TestCallTimeout: a limit on time ends a call that spins, and says so.
func TestCallTimeout(t *testing.T) {
	r := newRuntime(t, timeLimited(10*time.Millisecond))
	m := load(t, r, "spin")
	_, err := reconcile(t, m.NewPool(PoolConfig{}), "key")
	want := "guest spin.wasm failed in loopdock_reconcile: limit reached: nanoseconds of a call is 10000000"
	if diff := cmp.Diff(want, text(err)); diff != "" {
		t.Error(diff)
	}
	wantTrap(t, err)
	wantNothingLeft(t, m)
}

// TestInitialiserTimeout: the limit holds before the first call too.
func TestInitialiserTimeout(t *testing.T) {
	r := newRuntime(t, timeLimited(10*time.Millisecond))
	_, err := r.Load(t.Context(), "x.wasm", readFixture(t, "initialize-spin"))
	want := "cannot dock x.wasm: " + early + "_initialize: limit reached: nanoseconds of a call is 10000000"
	if diff := cmp.Diff(want, text(err)); diff != "" {
		t.Error(diff)
	}
	wantRefusal(t, err)
}

// TestCallGivenUp: where the host gives a call up, the guest is not to blame.
func TestCallGivenUp(t *testing.T) {
	r := newRuntime(t, timeLimited(time.Hour))
	m := load(t, r, "spin")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, _, err := m.NewPool(PoolConfig{}).Reconcile(ctx, "key", request("key"), nil, nil)
	if diff := cmp.Diff("the host could not wait for the guest: context deadline exceeded", text(err)); diff != "" {
		t.Error(diff)
	}
	if trap := (*TrapError)(nil); errors.As(err, &trap) {
		t.Error("the guest is to blame")
	}
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error("the context's error is not to be had")
	}
	wantNothingLeft(t, m)
}
