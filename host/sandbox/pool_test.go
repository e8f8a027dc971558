package sandbox

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// calls makes a call, and gives how many its instance has served.
func calls(t *testing.T, p *Pool, key string) int32 {
	t.Helper()
	resp, err := reconcile(t, p, key)
	if err != nil {
		t.Fatal(err)
	}
	return numbers(resp.Memo)[0]
}

// twoKeys finds two keys with places of their own.
func twoKeys(p *Pool) (a, b string) {
	a = "a"
	for n := 0; ; n++ {
		if b = fmt.Sprint("b", n); p.choose(a) != p.choose(b) {
			return a, b
		}
	}
}

// TestStickyKeys: a key comes back to its instance.
func TestStickyKeys(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "count")
	p := m.NewPool(PoolConfig{Instances: 4})
	a, b := twoKeys(p)
	got := []int32{calls(t, p, a), calls(t, p, a), calls(t, p, b), calls(t, p, a), calls(t, p, b)}
	if diff := cmp.Diff([]int32{1, 2, 1, 3, 2}, got); diff != "" {
		t.Error(diff)
	}
	if n := m.Instances(); n != 2 {
		t.Errorf("%d instances for two keys", n)
	}
}

// TestTrapCostsOneInstance: the others keep what they hold.
func TestTrapCostsOneInstance(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "count")
	p := m.NewPool(PoolConfig{Instances: 2})
	a, b := twoKeys(p)
	calls(t, p, a)
	calls(t, p, b)
	_, _, err := p.Reconcile(t.Context(), a, request("trap"), nil, nil)
	wantTrap(t, err)
	if n := m.Instances(); n != 1 {
		t.Errorf("%d instances after the trap", n)
	}
	if got := calls(t, p, b); got != 2 {
		t.Errorf("the other instance has served %d calls", got)
	}
	if got := calls(t, p, a); got != 1 {
		t.Errorf("the trapped instance was used again: %d calls", got)
	}
}

// blocking is a reader that stops the guest in a read.
type blocking struct{ inside, leave chan struct{} }

func newBlocking() *blocking { return &blocking{make(chan struct{}), make(chan struct{})} }

func (b *blocking) Read(context.Context, []byte) ([]byte, error) {
	b.inside <- struct{}{}
	<-b.leave
	return nil, nil
}

// start makes a call that is inside its read when start returns; the channel
// gives how it ended.
func (b *blocking) start(t *testing.T, p *Pool, key string) <-chan error {
	t.Helper()
	done := make(chan error, 1)
	ctx := context.WithoutCancel(t.Context())
	go func() { // whoever calls start reads from done
		_, _, err := p.Reconcile(ctx, key, request(key), b, nil)
		done <- err
	}()
	<-b.inside
	return done
}

// TestBusyInstance: a key whose instance is busy gets another one.
func TestBusyInstance(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "read")
	p := m.NewPool(PoolConfig{Instances: 2})
	first, second := newBlocking(), newBlocking()
	one, two := first.start(t, p, "key"), second.start(t, p, "key")
	if n := m.Instances(); n != 2 {
		t.Errorf("%d instances for two calls at a time", n)
	}
	close(second.leave)
	close(first.leave)
	if err := errors.Join(<-one, <-two); err != nil {
		t.Error(err)
	}
}

// TestWaitingEnds: a call that waits for an instance ends with its context, and
// the others go on.
func TestWaitingEnds(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "read")
	p := m.NewPool(PoolConfig{})
	b := newBlocking()
	done := b.start(t, p, "key")
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error, 1)
	go func() { // read below
		_, _, err := p.Reconcile(ctx, "key", request("key"), nil, nil)
		waiting <- err
	}()
	cancel()
	if err := <-waiting; !errors.Is(err, context.Canceled) {
		t.Errorf("the waiting call ended with %v", err)
	}
	close(b.leave)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, _, err := p.Reconcile(ctx, "key", request("key"), nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that is over before it begins ended with %v", err)
	}
	if _, err := reconcile(t, p, "key"); err != nil {
		t.Error(err)
	}
}
