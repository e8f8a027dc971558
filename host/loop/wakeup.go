package loop

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
)

// maxWakeups bounds the changes that are kept of a key; one more counts as another's.
const maxWakeups = 1024

// place is where an object stands.
type place struct {
	gvk             schema.GroupVersionKind
	namespace, name string
}

// wakeup is a change that woke a key while it was with a worker or waited to go on.
type wakeup struct {
	place
	uid, version string // of the object, as it was last where it is gone
	gone         bool
	leaving      bool // gone, or about to
}

func wakeupOf(ch *informercache.Change) wakeup {
	o := ch.New
	if o == nil {
		o = ch.Old
	}
	return wakeup{
		place: place{ch.Target.GVK, o.Namespace(), o.Name()}, uid: string(o.UID()), version: o.ResourceVersion(),
		gone: ch.New == nil, leaving: ch.New == nil || o.Terminating(),
	}
}

// is reports whether the change is what a write to the object did.
func (w *wakeup) is(written writer.Write) bool {
	if written.Deleted {
		return w.leaving && (written.UID == "" || written.UID == w.uid)
	}
	return !w.gone && w.version == written.ResourceVersion
}

// span is what goes on around a reconcile and the calls that continue it.
//
// A call that continues looks at what became of the writes before it, and need
// not look at all else again. So a change that wakes the key before such a call
// is not dealt with by it: the key runs anew after the last one. That the caches
// show the key's own writes is no such change.
type span struct {
	open      bool // with a worker, or waiting to go on
	continues bool // the last call did
	wakeups   []wakeup
	others    bool // more changes than are kept
	own       []writer.Write
}

// saw notes a change.
func (s *span) saw(w wakeup) {
	switch {
	case !s.open || s.others:
	case len(s.wakeups) == maxWakeups:
		s.wakeups, s.others = nil, true
	default:
		s.wakeups = append(s.wakeups, w)
	}
}

// disturbed reports whether there was a change that is not of the key's own writes.
func (s *span) disturbed() bool {
	if s.others || len(s.wakeups) == 0 {
		return s.others
	}
	own := make(map[place][]writer.Write, len(s.own))
	for _, w := range s.own {
		at := place{w.GVK, w.Namespace, w.Name}
		own[at] = append(own[at], w)
	}
	return slices.ContainsFunc(s.wakeups, func(w wakeup) bool { return !slices.ContainsFunc(own[w.place], w.is) })
}

// beginCall begins a call of a key.
func (c *Controller) beginCall(k Key) {
	c.states.with(k, func(s *keyState) {
		if s.next == nil {
			s.span = span{}
		}
		s.span.open = true
	})
}

// endCall ends a call of a key, which has written; where it goes on the span does
// too.
func (c *Controller) endCall(k Key, writes []writer.Write) {
	anew := false
	c.states.with(k, func(s *keyState) {
		s.span.own = append(s.span.own, writes...)
		if s.next != nil {
			return
		}
		anew = s.span.continues && s.span.disturbed()
		s.span = span{}
	})
	if anew {
		c.queue().Add(k, queue.Normal)
	}
}
