package elect_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/loopdock/loopdock/host/elect"
)

// lease is a Lease in memory. While stalled, requests hang until their context
// ends and change nothing; while it refuses, renewals fail at once.
type lease struct {
	mu      sync.Mutex
	record  *resourcelock.LeaderElectionRecord
	version int
	stalled bool
	refuses bool
}

// stall gives the time of the last renewal.
func (l *lease) stall() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stalled = true
	return l.record.RenewTime.Time
}

func (l *lease) refuse() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refuses = true
}

func (l *lease) holder() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.record == nil {
		return ""
	}
	return l.record.HolderIdentity
}

var errRefused = errors.New("refused")

// handle is one host's access to a lease.
type handle struct {
	*lease
	id   string
	seen int // the version that an update replaces
}

func (h *handle) Identity() string   { return h.id }
func (h *handle) Describe() string   { return "test" }
func (h *handle) RecordEvent(string) {}

func (h *handle) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	if err := h.hang(ctx); err != nil {
		return nil, nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.record == nil {
		return nil, nil, apierrors.NewNotFound(schema.GroupResource{Resource: "leases"}, "test")
	}
	r := *h.record
	h.seen = h.version
	return &r, []byte(r.HolderIdentity + r.RenewTime.String()), nil
}

func (h *handle) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	h.seen = 0 // there is none yet
	return h.Update(ctx, r)
}

func (h *handle) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	if err := h.hang(ctx); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuses && r.HolderIdentity != "" || h.seen != h.version {
		return errRefused
	}
	h.version++
	h.seen, h.record = h.version, &r
	return nil
}

func (h *handle) hang(ctx context.Context) error {
	h.mu.Lock()
	stalled := h.stalled
	h.mu.Unlock()
	if !stalled {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, elect.DefaultRenewDeadline/2) // as a client's
	defer cancel()
	<-ctx.Done()
	return ctx.Err()
}

func elector(t *testing.T, l *lease, id string) *elect.Elector {
	t.Helper()
	e, err := elect.New(elect.Config{Lock: &handle{lease: l, id: id}, Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestLeadsAndReleasesAfterLeadHasReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lease
		e := elector(t, &l, "a")
		if err := e.Fence().Allowed(); !errors.Is(err, elect.ErrNotLeading) {
			t.Errorf("before the election the fence says %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err := e.Run(ctx, func(ctx context.Context) {
			if err := e.Fence().Allowed(); err != nil {
				t.Errorf("while leading: %v", err)
			}
			cancel()
			<-ctx.Done()
			time.Sleep(time.Minute) //nolint:forbidigo // the bubble's clock: lead takes long to end
			if l.holder() != "a" || e.Fence().Allowed() != nil {
				t.Errorf("the lease is given up while lead ends: holder %q", l.holder())
			}
		})
		if err != nil || l.holder() != "" {
			t.Errorf("Run = %v, holder %q; want no error and no holder", err, l.holder())
		}
		if err := e.Fence().Allowed(); !errors.Is(err, elect.ErrNotLeading) {
			t.Errorf("after the election the fence says %v", err)
		}
	})
}

func TestLeadReturnsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lease
		e := elector(t, &l, "a")
		for range 2 { // Run may be called again
			called := false
			if err := e.Run(t.Context(), func(context.Context) { called = true }); err != nil || !called {
				t.Errorf("Run = %v, lead called: %v", err, called)
			}
			if l.holder() != "" {
				t.Errorf("%q holds the lease afterwards", l.holder())
			}
		}
	})
}

func TestNeverLeads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lease
		first, stopFirst := context.WithCancel(t.Context())
		var hosts sync.WaitGroup
		hosts.Go(func() {
			if err := elector(t, &l, "a").Run(first, func(ctx context.Context) { <-ctx.Done() }); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		b := elector(t, &l, "b")
		if err := b.Run(ctx, func(context.Context) { t.Error("two hosts lead") }); err != nil {
			t.Error(err)
		}
		stopFirst()
		hosts.Wait()
	})
}

func TestNextHolderLeadsOnlyAfterTheFirstOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lease
		var leading, hosts sync.WaitGroup
		var mu sync.Mutex
		now := 0
		count := func(by int) {
			mu.Lock()
			defer mu.Unlock()
			if now += by; now > 1 {
				t.Error("two hosts lead")
			}
		}
		leading.Add(2)
		for _, id := range []string{"a", "b"} {
			hosts.Go(func() {
				err := elector(t, &l, id).Run(t.Context(), func(context.Context) {
					count(1)
					time.Sleep(time.Hour) //nolint:forbidigo // the bubble's clock
					count(-1)
					leading.Done()
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		leading.Wait()
		hosts.Wait()
	})
}

// TestStalledRenewal is the reason for the fence: renewals hang, and no write is
// begun from the deadline on, long before another host may take over.
func TestStalledRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lease
		e := elector(t, &l, "a")
		var closed, ended time.Duration
		err := e.Run(t.Context(), func(ctx context.Context) {
			// Many renewals, which come every two seconds, and half of another.
			time.Sleep(time.Minute + time.Second) //nolint:forbidigo // the bubble's clock
			last := l.stall()
			for e.Fence().Allowed() == nil {
				time.Sleep(time.Millisecond) //nolint:forbidigo // the bubble's clock
			}
			closed = time.Since(last) //nolint:forbidigo // the bubble's clock
			if err := e.Fence().Allowed(); !errors.Is(err, elect.ErrNotRenewed) && !errors.Is(err, elect.ErrNotLeading) {
				t.Errorf("the fence says %v", err)
			}
			<-ctx.Done()
			ended = time.Since(last) //nolint:forbidigo // the bubble's clock
		})
		if !errors.Is(err, elect.ErrLost) {
			t.Errorf("Run = %v, want %v", err, elect.ErrLost)
		}
		for what, d := range map[string]time.Duration{"the fence closed": closed, "lead's context ended": ended} {
			if d < elect.DefaultRenewDeadline || d > elect.DefaultRenewDeadline+10*time.Millisecond {
				t.Errorf("%s %v after the last renewal, want %v", what, d, elect.DefaultRenewDeadline)
			}
		}
	})
}

func TestLeadThatDoesNotEndIsNotSucceededByRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l lease
		e := elector(t, &l, "a")
		err := e.Run(t.Context(), func(ctx context.Context) {
			l.refuse() // the release would get through
			<-ctx.Done()
			time.Sleep(time.Minute) //nolint:forbidigo // the bubble's clock
		})
		if !errors.Is(err, elect.ErrLost) || l.holder() != "a" {
			t.Errorf("Run = %v, holder %q; the lease must run out by itself", err, l.holder())
		}
	})
}

func TestOff(t *testing.T) {
	e, err := elect.New(elect.Config{Off: true})
	if err != nil {
		t.Fatal(err)
	}
	called := false
	err = e.Run(t.Context(), func(context.Context) { called = e.Fence().Allowed() == nil })
	if err != nil || !called {
		t.Errorf("Run = %v, led behind an open fence: %v", err, called)
	}
	if err := e.Check(nil); err != nil {
		t.Errorf("Check = %v", err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	_, err := elect.New(elect.Config{LeaseDuration: time.Millisecond, RenewDeadline: time.Second, RetryPeriod: time.Hour})
	for _, part := range []string{"no connection", "no namespace", "no name", "no identity", "below a second", "not below", "no time for a retry"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error does not say %q: %v", part, err)
		}
	}
}
