package elect

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// ErrNotLeading is why a fence is closed where this host does not hold the lease.
var ErrNotLeading = errors.New("this host does not hold the lease")

// ErrNotRenewed is why a fence is closed where the lease was not renewed in time.
var ErrNotRenewed = errors.New("the lease was not renewed in time")

// Fence says whether a write may be begun.
//
// It is safe for any goroutine, and cheap enough to ask for each request.
type Fence struct {
	clock    clock.WithTicker
	deadline time.Duration
	always   bool

	mu      sync.RWMutex
	holding bool
	renewed time.Time // before the last successful renewal was sent
}

// Allowed returns nil if a write may be begun now, and why not otherwise.
func (f *Fence) Allowed() error {
	if f.always {
		return nil
	}
	f.mu.RLock()
	holding, renewed := f.holding, f.renewed
	f.mu.RUnlock()
	if !holding {
		return ErrNotLeading
	}
	if since := elapsed(renewed, f.clock.Now()); since >= f.deadline {
		return fmt.Errorf("%w: %v ago, at most %v", ErrNotRenewed, since.Round(time.Millisecond), f.deadline)
	}
	return nil
}

// watch waits until the fence closes, or ctx ends.
func (f *Fence) watch(ctx context.Context) {
	for f.Allowed() == nil {
		f.mu.RLock()
		left := f.deadline - elapsed(f.renewed, f.clock.Now())
		f.mu.RUnlock()
		timer := f.clock.NewTimer(left)
		select {
		case <-timer.C():
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// elapsed is the time between two moments by the clock that has advanced more.
func elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// open notes a successful renewal that was sent at some time.
func (f *Fence) open(sent time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.holding, f.renewed = true, sent
}

// shut closes the fence until the lease is won again.
func (f *Fence) shut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.holding = false
}
