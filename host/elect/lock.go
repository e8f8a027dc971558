package elect

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// errOther is why a lease is not released that this host does not hold.
var errOther = errors.New("another host holds it")

// watchedLock is a lock whose renewals open the fence. It is used by one
// goroutine, client-go's.
type watchedLock struct {
	resourcelock.Interface
	fence *Fence
	term  *term
	other bool // another holder was seen last
}

// Get implements resourcelock.Interface: another holder ends the term at once.
func (l *watchedLock) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	record, raw, err := l.Interface.Get(ctx)
	if err != nil {
		return record, raw, err
	}
	l.other = record.HolderIdentity != "" && record.HolderIdentity != l.Identity()
	if record.HolderIdentity != l.Identity() {
		l.fence.shut()
		l.term.lost()
	}
	return record, raw, nil
}

// Create implements resourcelock.Interface.
func (l *watchedLock) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return l.hold(func() error { return l.Interface.Create(ctx, r) })
}

// Update implements resourcelock.Interface. An update without a holder releases
// the lease: that waits until lead has returned, and is refused where another
// host holds it, which client-go does not look at.
func (l *watchedLock) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	if r.HolderIdentity == l.Identity() {
		return l.hold(func() error { return l.Interface.Update(ctx, r) })
	}
	l.fence.shut()
	l.term.lost()
	if l.other {
		return fmt.Errorf("cannot release the lease: %w", errOther)
	}
	select {
	case <-l.term.done:
		return l.Interface.Update(ctx, r)
	case <-ctx.Done():
		return fmt.Errorf("cannot release the lease: what it guards has not ended: %w", ctx.Err())
	}
}

// hold sends a record that names this host as the holder.
func (l *watchedLock) hold(send func() error) error {
	sent := l.fence.clock.Now()
	if err := send(); err != nil {
		return err
	}
	l.other = false
	l.fence.open(sent)
	return nil
}
