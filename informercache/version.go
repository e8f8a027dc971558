package informercache

import (
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/resourceversion"
)

// ErrReleased ends what waits on a watch that its last user released.
var ErrReleased = errors.New("the watch was released")

// reached tells whether the watch has come to the version. Versions that do
// not compare are reached once the first list is in.
func (s *store) reached(version string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.reachedLocked(version)
}

func (s *store) reachedLocked(version string) bool {
	if !s.synced {
		return false
	}
	order, err := resourceversion.CompareResourceVersion(s.version, version)
	return err != nil || order >= 0
}

func (s *store) current() (version string, synced bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.version, s.synced
}

// await returns when done, called with the store locked for reading, is true;
// it is asked again after each step of the watch.
func (w *watched) await(ctx context.Context, done func(*store) bool) error {
	for {
		step := w.store.pending(done)
		if step == nil {
			return nil
		}
		select {
		case <-step:
		case <-w.released:
			return ErrReleased
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pending returns nil if done, otherwise a channel that the next step closes.
func (s *store) pending(done func(*store) bool) <-chan struct{} {
	s.mu.RLock()
	ok := done(s)
	s.mu.RUnlock()
	if ok {
		return nil
	}
	s.mu.Lock() // again, since a step may have come between
	defer s.mu.Unlock()
	if done(s) {
		return nil
	}
	if s.progress == nil {
		s.progress = make(chan struct{})
	}
	return s.progress
}

// WaitForSync returns when the watch's first list is in; an error says that
// the context ended, with the reason the watch gives, or that the watch was
// released.
func (w *Watch) WaitForSync(ctx context.Context) error {
	err := w.watched.await(ctx, func(s *store) bool { return s.synced })
	if err == nil {
		return nil
	}
	if m := w.Status().Message; m != "" {
		return fmt.Errorf("cannot wait for %s: %w: %s", w.watched.target, err, m)
	}
	return fmt.Errorf("cannot wait for %s: %w", w.watched.target, err)
}

// Version is the highest version that the watch has come to, by a change, a
// list or a bookmark; "" before the first list.
func (w *Watch) Version() string {
	version, _ := w.watched.store.current()
	return version
}

// Reached tells whether the watch has come to the version: if so, queries show
// what was written at it, or something later. It is false before the first list.
// A version that does not compare counts as reached after that.
func (w *Watch) Reached(version string) bool { return w.watched.store.reached(version) }

// WaitFor returns nil once the version is Reached. It waits as long as it
// takes: an error means that the context ended or the watch was released.
func (w *Watch) WaitFor(ctx context.Context, version string) error {
	err := w.watched.await(ctx, func(s *store) bool { return s.reachedLocked(version) })
	if err != nil {
		return fmt.Errorf("cannot wait for version %s of %s, now at %s: %w", version, w.watched.target, w.Version(), err)
	}
	return nil
}
