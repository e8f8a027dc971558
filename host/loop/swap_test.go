package loop_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

// TestSwap: a version takes over between two reconciles of a key. What is under
// way ends in the old one, which is closed after that.
func TestSwap(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	old, next := make(script), make(script)
	r := f.run(f.manifest(), old.guest, func(c *loop.Config) { c.Workers = 2 })
	f.key("a")
	underWay := old.of(t, "a")

	v2 := f.version(f.manifest(), "v2", next.guest, r.memo)
	swapped := make(chan error, 1)
	go func() { swapped <- r.Swap(t.Context(), v2) }() // waited for below
	hosttest.Eventually(t, "the new version is there", func() bool { return r.Status().Release == "v2" })
	f.key("b")
	next.of(t, "b").done() // the new version runs while the old one is still at it
	f.touch("a", "1")
	f.key("c")
	next.of(t, "c").done() // and leaves alone what the old one has
	select {
	case err := <-swapped:
		t.Fatalf("the swap has ended (%v) before the old version has", err)
	default:
	}
	underWay.ends(&abi.Response{Memo: []byte("from v1")}, nil)
	if err := <-swapped; err != nil {
		t.Fatal(err)
	}
	c := next.of(t, "a")
	if string(c.Memo) != "from v1" || !c.has(abi.ReasonTypeSwap) {
		t.Errorf("memo %q, reasons %+v", c.Memo, c.Reasons)
	}
	c.done()
}

// TestSwapRunsAll: every key runs again; a memo goes over only if its schema is
// the same, and a continuation never does.
func TestSwapRunsAll(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	old, next := make(script), make(script)
	r := f.run(f.manifest(), old.guest, slow)
	keys := []string{"a", "b", "c"}
	for _, k := range keys {
		f.key(k)
		old.of(t, k).ends(&abi.Response{Memo: []byte(k)}, nil)
	}
	// One of them is to go on when its write is seen, which is after the swap.
	f.touch("a", "1")
	c := old.of(t, "a")
	f.wire.Hold("configmaps")
	resp := f.create("a")
	resp.Continuation, resp.Memo = []byte("of v1"), c.Memo
	c.ends(resp, nil)
	hosttest.Eventually(t, "the key is parked", func() bool { return r.Status().Parked == 1 })

	swap := func(release string, schema uint32, g script) {
		t.Helper()
		m := f.manifest()
		m.MemoSchema = schema
		if err := r.Swap(t.Context(), f.version(m, release, g.guest, r.memo)); err != nil {
			t.Fatal(err)
		}
	}
	swap("v2", 0, next)
	next.of(t, "b").ends(&abi.Response{Memo: []byte("b2")}, nil)
	next.of(t, "c").ends(&abi.Response{Memo: []byte("c2")}, nil)
	f.wire.Pass("configmaps")
	c = next.of(t, "a")
	if c.Depth != 0 || len(c.Continuation) != 0 || len(c.Results) != 0 || string(c.Memo) != "a" {
		t.Errorf("depth %d, continuation %q, memo %q", c.Depth, c.Continuation, c.Memo)
	}
	if n := len(c.read(t, f.list("a")).Objects); n != 1 {
		t.Errorf("the new version runs on a cache that shows %d of the old one's writes, want 1", n)
	}
	c.ends(&abi.Response{Memo: []byte("a2")}, nil)

	last := make(script)
	swap("v3", 1, last)
	for range keys {
		c := last.next(t)
		if len(c.Memo) != 0 {
			t.Errorf("the memo %q has another schema", c.Memo)
		}
		if !c.has(abi.ReasonTypeSwap) {
			t.Errorf("reasons %+v", c.Reasons)
		}
		c.done()
	}
}

// TestBadSwap: what can't take over changes nothing.
func TestBadSwap(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, func(c *loop.Config) { c.SwapBound = 300 * time.Millisecond })
	otherKind, badSelector, unserved := f.manifest(), f.manifest(), f.manifest()
	otherKind.Primary.Kind = configMaps
	badSelector.Primary.Selector = "=="
	unserved.Reads = append(unserved.Reads, abi.KindRead{Kind: &abi.Kind{APIVersion: "never.example.com/v1", Kind: "Widget"}})
	for _, tc := range []struct {
		m    abi.Controller
		want string
	}{
		{otherKind, "another primary kind"},
		{badSelector, "selector"},
		{unserved, "not served"},
	} {
		v := f.version(tc.m, "v2", nil, nil)
		err := r.Swap(t.Context(), v)
		v.Close()
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("Swap = %v, want an error with %q", err, tc.want)
		}
		if s := r.Status(); s.Release != "v1" || s.Phase != loop.Running || len(s.Waiting) != 0 {
			t.Errorf("the status is %+v", s)
		}
	}
	f.key("a")
	calls.of(t, "a").done()
}

// TestSwapClosesOnce: each version is closed once, after it was used.
func TestSwapClosesOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ok := func(*call) (*abi.Response, error) { return &abi.Response{}, nil }
	r := f.run(f.manifest(), ok, nil)
	closed := make([]atomic.Int32, 5)
	for i := range closed {
		v := f.version(f.manifest(), "v", ok, nil)
		release := v.Close
		v.Close = func() { closed[i].Add(1); release() }
		if err := r.Swap(t.Context(), v); err != nil {
			t.Fatal(err)
		}
	}
	r.stop()
	r.Close()
	for i := range closed {
		if n := closed[i].Load(); n != 1 {
			t.Errorf("version %d was closed %d times", i, n)
		}
	}
}
