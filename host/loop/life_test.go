package loop_test

import (
	"net/http"
	"runtime"
	"strings"
	"testing"

	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

// TestRunLeavesNothing: after Run no goroutine of the controller is left, also
// where keys are waiting, failing and parked; and it may run again.
func TestRunLeavesNothing(t *testing.T) {
	f := newFixture(t)
	calls := make(script)
	v := f.version(f.manifest(), "v1", calls.guest, nil)
	if err := v.Watches.WaitForSync(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	c, err := loop.New(loop.Config{Name: "test", Workers: 3, Cache: f.cache, Clock: clock.RealClock{}, Logger: f.log.Logger(), Registerer: f.registry}, v)
	if err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	f.key("a")
	for range 3 {
		r := &running{Controller: c, f: f}
		r.start(t, true)
		calls.of(t, "a").ends(&abi.Response{RequeueAfterNS: 1e12, Memo: []byte("m")}, nil)
		r.stop()
		if m := c.Memo(&abi.Key{Namespace: f.namespace, Name: "a"}); m != nil {
			t.Errorf("the memo %q has outlived the run", m)
		}
		if s := c.Status(); s.Phase != loop.Waiting || s.Parked != 0 {
			t.Errorf("the status is %+v", s)
		}
	}
	hosttest.Eventually(t, "its goroutines have ended", func() bool { return runtime.NumGoroutine() <= before+2 }) // connections may come and go
	c.Close()
}

// TestLevelIsTriedAgain: an API server that can't be asked when a term begins
// costs time, not the controller.
func TestLevelIsTriedAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.key("a")
	calls := make(script)
	v := f.version(f.manifest(), "v1", calls.guest, nil)
	if err := v.Watches.WaitForSync(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	c, err := loop.New(loop.Config{Name: "test", Workers: 1, Cache: f.cache, Clock: clock.RealClock{}, Logger: f.log.Logger(), Registerer: f.registry}, v)
	if err != nil {
		t.Fatal(err)
	}
	f.wire.Lose(func(req *http.Request) error {
		if req.URL.Query().Get("watch") == "" && strings.HasSuffix(req.URL.Path, "/replicasets") {
			return errLost
		}
		return nil
	}, nil)
	r := &running{Controller: c, f: f}
	r.start(t, true)
	t.Cleanup(r.stop)
	hosttest.Eventually(t, "the status says what is wrong", func() bool {
		s := r.Status()
		return s.Phase == loop.Waiting && strings.Contains(s.Message, "lost on the way")
	})
	f.wire.Lose(nil, nil)
	calls.of(t, "a").done()
	hosttest.Eventually(t, "it runs", func() bool { return r.Status().Phase == loop.Running && r.Status().Message == "" })
}

// TestRunEndsWhileWaiting: a controller whose caches never come can be stopped.
func TestRunEndsWhileWaiting(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	m := f.manifest()
	m.Reads = append(m.Reads, abi.KindRead{Kind: &abi.Kind{APIVersion: "never.example.com/v1", Kind: "Widget"}})
	c, err := loop.New(loop.Config{Name: "test", Workers: 1, Cache: f.cache, Clock: clock.RealClock{}, Logger: f.log.Logger(), Registerer: f.registry}, f.version(m, "v1", nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	r := &running{Controller: c, f: f}
	r.start(t, false)
	hosttest.Eventually(t, "it says what it waits for", func() bool { return len(r.Status().Waiting) > 0 })
	r.stop()
	if s := r.Status(); s.Phase != loop.Waiting {
		t.Errorf("the status is %+v", s)
	}
}
