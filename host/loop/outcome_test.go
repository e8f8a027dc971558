package loop_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/sandbox"
)

// slow is a back-off that no test waits for.
func slow(c *loop.Config) { c.BackOff, c.MaxBackOff = time.Hour, time.Hour }

// TestBackOff: a mere event does not cut a back-off short, and a change of the
// object's generation does.
func TestBackOff(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, slow)
	f.key("a")
	first := calls.of(t, "a")
	if first.Attempt != 0 || !first.has(abi.ReasonTypeAdded) {
		t.Errorf("attempt %d, reasons %+v", first.Attempt, first.Reasons)
	}
	first.ends(nil, errors.New("not now"))
	hosttest.Eventually(t, "the failure is noted", func() bool { return r.Status().LastError == "not now" })
	f.touch("a", "1")
	f.key("b")
	calls.of(t, "b").done()

	f.respec("a")
	again := calls.of(t, "a")
	if again.Attempt != 0 {
		t.Errorf("attempt %d for a new specification, want 0", again.Attempt)
	}
	if !again.has(abi.ReasonTypeRetry) || !again.has(abi.ReasonTypeUpdated) {
		t.Errorf("reasons %+v", again.Reasons)
	}
	again.done()
	hosttest.Eventually(t, "the failure is forgotten", func() bool { return r.Status().LastError == "" })
}

// TestBackOffPasses: a failed key comes back when its time has come, and knows
// how often it has failed.
func TestBackOffPasses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	now := clocktesting.NewFakeClock(time.Unix(1e9, 0))
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, func(c *loop.Config) { c.Clock, c.BackOff, c.MaxBackOff = now, time.Hour, 4*time.Hour })
	f.key("a")
	at := now.Now()
	for n, wait := range []time.Duration{0, time.Hour, 2 * time.Hour, 4 * time.Hour, 4 * time.Hour} {
		now.Step(wait)
		c := calls.of(t, "a")
		at = at.Add(wait)
		if int(c.Attempt) != n || c.NowNS != at.UnixNano() {
			t.Errorf("attempt %d at %v, want %d at %v", c.Attempt, time.Unix(0, c.NowNS), n, at)
		}
		c.ends(&abi.Response{Error: &abi.Error{Message: "not yet"}}, nil)
		hosttest.Eventually(t, "the failure is counted", func() bool { return r.Status().Failures == n+1 })
	}
}

// TestRequeueAfter: a key that asks for it comes again after that time, or before
// if something happens; and that it did not fail is forgotten.
func TestRequeueAfter(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	now := clocktesting.NewFakeClock(time.Unix(1e9, 0))
	calls := make(script)
	f.run(f.manifest(), calls.guest, func(c *loop.Config) { c.Clock = now })
	f.key("a")
	calls.of(t, "a").ends(&abi.Response{RequeueAfterNS: int64(time.Hour)}, nil)
	f.touch("a", "1")
	start := now.Now()
	calls.of(t, "a").ends(&abi.Response{RequeueAfterNS: int64(time.Hour)}, nil)
	var c *call
	hosttest.Eventually(t, "the time has come", func() bool {
		now.Step(10 * time.Minute)
		select {
		case c = <-calls:
			return true
		default:
			return false
		}
	})
	if c.NowNS < start.Add(time.Hour).UnixNano() {
		t.Errorf("it came after %v, want an hour", time.Duration(c.NowNS-start.UnixNano()))
	}
	if !c.has(abi.ReasonTypeRequeue) || c.Attempt != 0 {
		t.Errorf("attempt %d, reasons %+v", c.Attempt, c.Reasons)
	}
	c.done()
	if n := f.sample("controller_runtime_reconcile_total", "requeue_after"); n != 2 {
		t.Errorf("%v reconciles asked to come again, want 2", n)
	}
}

// TestTerminalError: the key waits for the next change, whatever that is.
func TestTerminalError(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, nil)
	f.key("a")
	calls.of(t, "a").ends(&abi.Response{Error: &abi.Error{Message: "hopeless", Terminal: true}}, nil)
	hosttest.Eventually(t, "the error is noted", func() bool { return r.Status().LastError == "hopeless" })
	f.key("b")
	calls.of(t, "b").done()
	f.touch("a", "1")
	again := calls.of(t, "a")
	if again.Attempt != 0 {
		t.Errorf("attempt %d, want 0", again.Attempt)
	}
	again.done()
	if n := f.sample("controller_runtime_terminal_reconcile_errors_total", ""); n != 1 {
		t.Errorf("%v terminal errors are counted, want 1", n)
	}
}

// TestTrap: a trap costs that attempt alone.
func TestTrap(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, nil)
	f.key("a")
	calls.of(t, "a").ends(&abi.Response{Memo: []byte("kept")}, nil)
	f.touch("a", "1")
	calls.of(t, "a").ends(nil, &sandbox.TrapError{Module: "test", Export: "loopdock_reconcile", Cause: errors.New("unreachable"), LastLines: []string{"oh no"}})
	again := calls.of(t, "a")
	if again.Attempt != 1 || !again.has(abi.ReasonTypeRetry) || string(again.Memo) != "kept" {
		t.Errorf("attempt %d, reasons %+v, memo %q", again.Attempt, again.Reasons, again.Memo)
	}
	again.done()
	f.key("b")
	calls.of(t, "b").done()
	hosttest.Eventually(t, "the trap is forgotten", func() bool { return r.Status().LastError == "" })
	if !f.log.Has("guest trapped", "oh no") {
		t.Error("the log does not show the trap")
	}
}

// TestFailedActionFailsTheKey: an action that is not allowed, or that the API
// server refuses, is a failure of the reconcile.
func TestFailedActionFailsTheKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, slow)
	f.key("a")
	resp := f.create("a")
	resp.Batches[0].Actions[0].Kind = &abi.Kind{APIVersion: "v1", Kind: "Secret"}
	calls.of(t, "a").ends(resp, nil)
	hosttest.Eventually(t, "it is refused", func() bool { return strings.Contains(r.Status().LastError, "not granted") })
	f.respec("a")
	resp = f.create("A-") // no name of an object
	calls.of(t, "a").ends(resp, nil)
	hosttest.Eventually(t, "it is invalid", func() bool { return strings.Contains(r.Status().LastError, "is invalid") })
}

// TestConflictIsEveryday: a write that came too late is retried as all that fails,
// and is no error in the log, whether the host or the guest says so.
func TestConflictIsEveryday(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	f.run(f.manifest(), calls.guest, slow)
	f.key("a")
	calls.of(t, "a").ends(&abi.Response{Error: &abi.Error{Message: "too late", Reason: "Conflict"}}, nil)
	hosttest.Eventually(t, "the log tells of it", func() bool { return f.log.Has("level=INFO", "lost against another writer", "too late") })
	f.respec("a")
	calls.of(t, "a").ends(&abi.Response{Error: &abi.Error{Message: "not found", Reason: "NotFound"}}, nil)
	hosttest.Eventually(t, "the log tells of an error", func() bool { return f.log.Has("level=ERROR", "reconcile failed", "not found") })
}

// TestMemo: it is kept as long as the key is, replaced by each answer, limited,
// and other keys may read it.
func TestMemo(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.run(f.manifest(), calls.guest, slow)
	other := func(c *call, name string) string {
		return string(c.read(t, abi.Query{Type: abi.QueryTypeMemo, Namespace: f.namespace, Name: name}).Memo)
	}
	f.key("a")
	calls.of(t, "a").ends(&abi.Response{Memo: []byte("one")}, nil)
	f.key("b")
	b := calls.of(t, "b")
	if got := other(b, "a"); got != "one" {
		t.Errorf("another key's memo is %q", got)
	}
	if got := other(b, "nobody"); got != "" {
		t.Errorf("the memo of a key that is not there is %q", got)
	}
	b.done()
	f.touch("a", "1")
	c := calls.of(t, "a")
	if string(c.Memo) != "one" {
		t.Errorf("the memo is %q", c.Memo)
	}
	c.ends(&abi.Response{Memo: []byte("two")}, nil)
	f.touch("a", "2")
	c = calls.of(t, "a")
	if string(c.Memo) != "two" {
		t.Errorf("the memo is %q", c.Memo)
	}
	c.ends(&abi.Response{Memo: make([]byte, abi.MaxMemo+1)}, nil)
	hosttest.Eventually(t, "a memo that is too long is refused", func() bool { return strings.Contains(r.Status().LastError, "memo bytes") })
	f.respec("a")
	c = calls.of(t, "a")
	if string(c.Memo) != "two" {
		t.Errorf("the memo is %q after a failure", c.Memo)
	}
	c.ends(&abi.Response{Memo: c.Memo}, nil)
	f.remove("a")
	c = calls.of(t, "a")
	if c.Object != nil || !c.has(abi.ReasonTypeDeleted) || string(c.Memo) != "two" {
		t.Errorf("object %v, reasons %+v, memo %q", c.Object, c.Reasons, c.Memo)
	}
	c.ends(&abi.Response{Memo: []byte("three")}, nil)
	f.key("a")
	c = calls.of(t, "a")
	if len(c.Memo) != 0 {
		t.Errorf("the memo %q has outlived its key", c.Memo)
	}
	c.done()
}
