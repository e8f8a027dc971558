package elect

import (
	"context"
	"errors"
	"testing"
	"time"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
	clocktesting "k8s.io/utils/clock/testing"
)

// heldBy is a lock with a fixed holder, which fails the test if it is released.
type heldBy struct {
	resourcelock.Interface
	t      *testing.T
	holder string
}

func (h *heldBy) Identity() string { return "us" }

func (h *heldBy) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	return &resourcelock.LeaderElectionRecord{HolderIdentity: h.holder}, nil, nil
}

func (h *heldBy) Update(_ context.Context, r resourcelock.LeaderElectionRecord) error {
	if r.HolderIdentity == "" && h.holder != "us" {
		h.t.Errorf("released what %s holds", h.holder)
	}
	return nil
}

// TestAnotherHolder: once another host is seen to hold the lease, this one's
// term is over, and the other's lease is not released.
func TestAnotherHolder(t *testing.T) {
	fence := &Fence{clock: clocktesting.NewFakeClock(time.Unix(0, 0)), deadline: time.Second}
	ctx, end := context.WithCancel(t.Context())
	under := &heldBy{t: t, holder: "us"}
	l := &watchedLock{Interface: under, fence: fence, term: &term{begun: true, end: end, done: make(chan struct{})}}
	if err := l.Update(t.Context(), resourcelock.LeaderElectionRecord{HolderIdentity: "us"}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Get(t.Context()); err != nil || fence.Allowed() != nil || ctx.Err() != nil {
		t.Fatalf("while this host holds it: %v, fence %v", err, fence.Allowed())
	}
	under.holder = "them"
	if _, _, err := l.Get(t.Context()); err != nil || !errors.Is(fence.Allowed(), ErrNotLeading) || ctx.Err() == nil {
		t.Errorf("once another holds it: %v, fence %v, context %v", err, fence.Allowed(), ctx.Err())
	}
	close(l.term.done)
	if err := l.Update(t.Context(), resourcelock.LeaderElectionRecord{}); !errors.Is(err, errOther) {
		t.Errorf("the release: %v", err)
	}
}
