package sandbox

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestIdleInstancesGo: by the end of another key's call, or by Trim; never one that is
// in use.
func TestIdleInstancesGo(t *testing.T) {
	var now atomic.Int64
	r := newRuntime(t, Config{Now: func() time.Time { return time.Unix(0, now.Load()) }})
	m := load(t, r, "count")
	p := m.NewPool(PoolConfig{Instances: 4, Idle: time.Minute})
	a, b := twoKeys(p)
	calls(t, p, a)
	calls(t, p, b)
	now.Add(int64(time.Minute) - 1)
	calls(t, p, a)
	if n := m.Instances(); n != 2 {
		t.Errorf("%d instances before the time is up", n)
	}
	now.Add(1)
	if got := calls(t, p, a); got != 3 {
		t.Errorf("the instance in use has served %d calls", got)
	}
	if n := m.Instances(); n != 1 {
		t.Errorf("%d instances when one was idle for a minute", n)
	}
	now.Add(int64(time.Minute))
	p.Trim(t.Context())
	wantNothingLeft(t, m)
	if got := calls(t, p, a); got != 1 {
		t.Errorf("a new instance has served %d calls", got)
	}
}

// TestIdleForEver: where that was asked for.
func TestIdleForEver(t *testing.T) {
	var now atomic.Int64
	r := newRuntime(t, Config{Now: func() time.Time { return time.Unix(0, now.Load()) }})
	m := load(t, r, "count")
	p := m.NewPool(PoolConfig{Idle: -1})
	calls(t, p, "key")
	now.Add(int64(1000 * time.Hour))
	p.Trim(t.Context())
	if got := calls(t, p, "key"); got != 2 {
		t.Errorf("the instance has served %d calls", got)
	}
}

// TestTrimWaitsForNothing: with every instance in use there is nothing to close.
func TestTrimWaitsForNothing(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "read")
	p := m.NewPool(PoolConfig{})
	b := newBlocking()
	done := b.start(t, p, "key")
	p.Trim(t.Context())
	close(b.leave)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
