package informercache

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Change is one step of one object.
type Change struct {
	// Target is the watch that saw it.
	Target Target
	// Old is the state before, nil for an object that is new. New is the state
	// after, nil for an object that is gone. If both are set they have one UID.
	Old, New *Object
	// Initial marks the objects of the watch's first list.
	Initial bool
}

// Subscriber is told what watches see.
//
// # Notes
//
//   - Both methods are called on the watch's own goroutine, so that watches of
//     several targets call at the same time. The watch waits: be prompt.
//   - The store is not locked; it shows the state told of or a later one.
//   - Watch and Release may be called from within.
type Subscriber interface {
	// Changed is called for each change, in order per object.
	Changed(Change)
	// Progressed is called after the changes of one step: the watch has come to
	// the version. relisted says that the step was a list, which may have skipped
	// events.
	Progressed(t Target, version string, relisted bool)
}

// subscribers is the list of those to tell; reading it takes no lock.
type subscribers struct {
	mu   sync.Mutex
	list atomic.Pointer[[]*subscription]
}

type subscription struct{ Subscriber }

func (s *subscribers) add(to Subscriber) (cancel func()) {
	entry := &subscription{to}
	s.change(func(list []*subscription) []*subscription { return append(list, entry) })
	return func() {
		s.change(func(list []*subscription) []*subscription {
			return slices.DeleteFunc(list, func(e *subscription) bool { return e == entry })
		})
	}
}

func (s *subscribers) change(f func([]*subscription) []*subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := f(slices.Clone(s.current()))
	s.list.Store(&list)
}

func (s *subscribers) current() []*subscription {
	if p := s.list.Load(); p != nil {
		return *p
	}
	return nil
}

// Subscribe has the subscriber called from the next step of each watch on,
// until cancel; a call that is under way then may still end after it.
func (c *Cache) Subscribe(s Subscriber) (cancel func()) { return c.subscribers.add(s) }
