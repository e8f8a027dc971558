package sandbox

import (
	"errors"
	"testing"
)

// TestCloseWaits: Close ends when the calls under way have ended, and they end
// well. Calls that wait for an instance end at once.
func TestCloseWaits(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "read")
	p := m.NewPool(PoolConfig{})
	b := newBlocking()
	call := b.start(t, p, "key")
	waiting := make(chan error, 2)
	for range cap(waiting) {
		go func() { // read below
			_, err := reconcile(t, p, "key")
			waiting <- err
		}()
	}
	closed := make(chan error, 2)
	for range cap(closed) {
		go func() { closed <- m.Close(t.Context()) }() // read below
	}
	for range cap(waiting) { // the only instance is busy all the time
		if err := <-waiting; !errors.Is(err, errClosed) {
			t.Errorf("a call that waited ended with %v", err)
		}
	}
	select {
	case err := <-closed:
		t.Errorf("Close did not wait: %v", err)
	default:
	}
	close(b.leave)
	if err := <-call; err != nil {
		t.Errorf("the call that Close waited for: %v", err)
	}
	if err := errors.Join(<-closed, <-closed); err != nil {
		t.Error(err)
	}
	wantNothingLeft(t, m)
}

// TestClosedModule: a closed module and its pools refuse, old ones and new.
func TestClosedModule(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "empty")
	p := m.NewPool(PoolConfig{})
	if err := errors.Join(m.Close(t.Context()), m.Close(t.Context())); err != nil {
		t.Error(err)
	}
	for name, pool := range map[string]*Pool{"old": p, "new": m.NewPool(PoolConfig{})} {
		if _, err := reconcile(t, pool, "key"); !errors.Is(err, errClosed) {
			t.Errorf("the %s pool gives %v", name, err)
		}
	}
}

// TestEqualModules: two modules of the same bytes don't share their end.
func TestEqualModules(t *testing.T) {
	r := newRuntime(t, Config{})
	one, two := load(t, r, "empty"), load(t, r, "empty")
	p := two.NewPool(PoolConfig{})
	for range 2 {
		if err := one.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := reconcile(t, p, "key"); err != nil {
		t.Error(err)
	}
	if one.Digest() != two.Digest() {
		t.Error("equal bytes have different digests")
	}
}
