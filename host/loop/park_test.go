package loop_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/informercache"
)

// TestParking: a key does not run before the cache shows its own write, and holds
// no worker meanwhile.
func TestParking(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, func(c *loop.Config) { c.ParkBound = 100 * time.Millisecond })
	f.key("a")
	first := calls.of(t, "a")
	f.wire.Hold("configmaps")
	first.ends(f.create("a"), nil)
	hosttest.Eventually(t, "the key is parked", func() bool { return r.Status().Parked == 1 })
	f.touch("a", "1")
	f.respec("a") // cuts a back-off short, but no wait
	f.key("b")
	calls.of(t, "b").done()
	hosttest.Eventually(t, "the wait is reported", func() bool { return f.log.Has("cache is behind", "kind=ConfigMap") })
	f.key("c")
	calls.of(t, "c").done()
	f.wire.Pass("configmaps")
	again := calls.of(t, "a")
	if n := len(again.read(t, f.list("a")).Objects); n != 1 {
		t.Errorf("the key runs on a cache that shows %d of its writes, want 1", n)
	}
	again.done()
	if n := f.sample("loopdock_parked_overdue_total", ""); n == 0 {
		t.Error("the metric does not show the wait")
	}
}

// TestRelistWhileParked: a list that was taken before a key's write does not let
// it go.
func TestRelistWhileParked(t *testing.T) {
	t.Parallel()
	const listEnds = "k8s.io/initial-events-end"
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, nil)
	f.key("a")
	first := calls.of(t, "a")
	relisted := make(progress, 1)
	defer f.cache.Subscribe(relisted)()

	f.wire.Hold("configmaps")
	f.wire.Expire("configmaps")
	hosttest.Eventually(t, "the list has come as far as the connection", func() bool { return f.wire.Arrived("configmaps", listEnds) })
	passList := f.wire.PassArrived("configmaps")
	first.ends(f.create("a"), nil)
	hosttest.Eventually(t, "the key is parked", func() bool { return r.Status().Parked == 1 })
	f.touch("a", "1")
	passList()
	relisted.wait(t)
	f.key("b")
	calls.of(t, "b").done()
	if n := r.Status().Parked; n != 1 {
		t.Errorf("%d keys are parked, want 1", n)
	}
	f.wire.Pass("configmaps")
	again := calls.of(t, "a")
	if n := len(again.read(t, f.list("a")).Objects); n != 1 {
		t.Errorf("the key runs on a cache that shows %d of its writes, want 1", n)
	}
	again.done()
}

// progress is told of lists of ConfigMaps, after the controller has been.
type progress chan struct{}

func (p progress) Changed(informercache.Change) {}

func (p progress) Progressed(t informercache.Target, _ string, relisted bool) {
	if relisted && t.GVK.Kind == "ConfigMap" {
		select {
		case p <- struct{}{}:
		default:
		}
	}
}

func (p progress) wait(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hosttest.Patience)
	defer cancel()
	select {
	case <-p:
	case <-ctx.Done():
		t.Fatal("no list came")
	}
}

var errLost = errors.New("lost on the way")

// TestUnknownOutcome: when the answer to a create is lost, and nobody can tell
// what became of it, the key is held; and after that is known until the cache
// shows it. Nothing is created twice.
func TestUnknownOutcome(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, func(c *loop.Config) { c.MaxBackOff = 50 * time.Millisecond })
	f.key("a")
	first := calls.of(t, "a")
	f.wire.Hold("configmaps")
	var looks atomic.Int32
	f.wire.Lose(
		func(req *http.Request) error {
			if req.Method == http.MethodGet && strings.Contains(req.URL.Path, "/configmaps/") {
				looks.Add(1)
				return errLost
			}
			return nil
		},
		func(req *http.Request) error {
			if req.Method == http.MethodPost {
				return errLost
			}
			return nil
		},
	)
	first.ends(f.create("a"), nil)
	hosttest.Eventually(t, "the loss is noted", func() bool { return r.Status().LastErrorKey != "" })
	seen := looks.Load()
	f.respec("a")
	hosttest.Eventually(t, "the object is looked for again and again", func() bool { return looks.Load() > seen+3 })
	if msg := r.Status().LastError; !strings.Contains(msg, "what became of") {
		t.Errorf("the error is %q", msg)
	}
	f.key("b")
	calls.of(t, "b").done()

	f.wire.Lose(nil, nil)
	hosttest.Eventually(t, "the key waits for the cache", func() bool { return r.Status().Parked == 1 })
	f.touch("b", "1")
	calls.of(t, "b").done()
	f.wire.Pass("configmaps")
	again := calls.of(t, "a")
	if n := len(again.read(t, f.list("a")).Objects); n != 1 {
		t.Errorf("the key runs on a cache that shows %d of its writes, want 1", n)
	}
	again.done()
	if n := f.made("a"); n != 1 {
		t.Errorf("%d objects were created, want 1", n)
	}
}

// TestContinuation: a reconcile that goes on after its writes gets its bytes and
// its results, once the cache shows them, and at most so often.
func TestContinuation(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, func(c *loop.Config) { c.BackOff, c.MaxBackOff = time.Hour, time.Hour })
	f.configMap("read", "1")
	f.key("a")
	first := calls.of(t, "a")
	first.read(t, abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: f.namespace, Name: "read"})
	f.wire.Hold("configmaps")
	resp := f.create("a")
	resp.Continuation = []byte("step two")
	first.ends(resp, nil)
	hosttest.Eventually(t, "the key is parked", func() bool { return r.Status().Parked == 1 })
	f.key("b")
	calls.of(t, "b").done()
	f.wire.Pass("configmaps")
	second := calls.of(t, "a")
	if string(second.Continuation) != "step two" || second.Depth != 1 {
		t.Errorf("continuation %q at depth %d", second.Continuation, second.Depth)
	}
	if len(second.Results) != 1 || second.Results[0].Outcome != abi.OutcomeOK || !strings.HasPrefix(second.Results[0].Name, "a") {
		t.Errorf("results %+v", second.Results)
	}
	if n := len(second.read(t, f.list("a")).Objects); n != 1 {
		t.Errorf("the cache shows %d of its writes, want 1", n)
	}
	second.ends(&abi.Response{}, nil)
	f.configMap("read", "2") // what the first step read wakes the key
	third := calls.of(t, "a")
	if third.Depth != 0 || len(third.Continuation) != 0 || len(third.Results) != 0 {
		t.Errorf("a new reconcile has continuation %q at depth %d", third.Continuation, third.Depth)
	}
	for c, depth := third, uint32(0); ; c, depth = calls.of(t, "a"), depth+1 {
		if c.Depth != depth {
			t.Fatalf("depth %d, want %d", c.Depth, depth)
		}
		c.ends(&abi.Response{Continues: true}, nil)
		if depth == abi.MaxContinuations {
			break
		}
	}
	hosttest.Eventually(t, "it may not go on for ever", func() bool { return strings.Contains(r.Status().LastError, "continuations") })
}

// TestContinuationSwallowsNoWake: what wakes a key before a call that continues
// has the key run anew after it; its own writes do not.
func TestContinuationSwallowsNoWake(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	f.run(f.manifest(), calls.guest, nil)
	f.key("a")
	list := f.list("mine")
	step := func(c *call) { // writes, and goes on
		resp := f.create("mine")
		resp.Continuation = []byte("on")
		c.ends(resp, nil)
	}
	first := calls.of(t, "a")
	first.read(t, list)
	f.configMap("theirs", "1", "made=mine")
	hosttest.Eventually(t, "the cache shows it", func() bool { return len(first.read(t, list).Objects) == 1 })
	step(first)
	second := calls.of(t, "a")
	if second.Depth != 1 || !second.has(abi.ReasonTypeAdded) {
		t.Errorf("depth %d, reasons %+v", second.Depth, second.Reasons)
	}
	second.done() // without a look at what woke it
	third := calls.of(t, "a")
	if third.Depth != 0 {
		t.Errorf("the key runs at depth %d", third.Depth)
	}
	third.read(t, list)
	step(third)
	fourth := calls.of(t, "a")
	if fourth.Depth != 1 {
		t.Errorf("the key runs at depth %d", fourth.Depth)
	}
	fourth.done()
	f.key("b") // comes after what has been queued before
	calls.of(t, "b").done()
}
