package loop

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
)

// maxSights bounds the changes that are kept of a key; one more counts as another's.
const maxSights = 1024

// place is where an object stands.
type place struct {
	gvk             schema.GroupVersionKind
	namespace, name string
}

// sight is a change that woke a key while it was with a worker or waited to go on.
type sight struct {
	place
	uid, version string // of the object, as it was last where it is gone
	gone         bool
	leaving      bool // gone, or about to
}

func sightOf(ch *informercache.Change) sight {
	o := ch.New
	if o == nil {
		o = ch.Old
	}
	return sight{
		place: place{ch.Target.GVK, o.Namespace(), o.Name()}, uid: string(o.UID()), version: o.ResourceVersion(),
		gone: ch.New == nil, leaving: ch.New == nil || o.Terminating(),
	}
}

// is reports whether the change is what a write to the object did.
func (s *sight) is(w writer.Write) bool {
	if w.Deleted {
		return s.leaving && (w.UID == "" || w.UID == s.uid)
	}
	return !s.gone && s.version == w.ResourceVersion
}

// course is what goes on around a reconcile and the calls that continue it.
//
// A call that continues looks at what became of the writes before it, and need
// not look at all else again. So a change that wakes the key before such a call
// is not dealt with by it: the key runs anew after the last one. That the caches
// show the key's own writes is no such change.
type course struct {
	under     bool // with a worker, or waiting to go on
	continues bool // the last call did
	sights    []sight
	others    bool // more changes than are kept
	own       []writer.Write
}

// saw notes a change.
func (c *course) saw(s sight) {
	switch {
	case !c.under || c.others:
	case len(c.sights) == maxSights:
		c.sights, c.others = nil, true
	default:
		c.sights = append(c.sights, s)
	}
}

// disturbed reports whether there was a change that is not of the key's own writes.
func (c *course) disturbed() bool {
	if c.others || len(c.sights) == 0 {
		return c.others
	}
	own := make(map[place][]writer.Write, len(c.own))
	for _, w := range c.own {
		at := place{w.GVK, w.Namespace, w.Name}
		own[at] = append(own[at], w)
	}
	return slices.ContainsFunc(c.sights, func(s sight) bool { return !slices.ContainsFunc(own[s.place], s.is) })
}

// depart begins a call of a key.
func (c *Controller) depart(k Key) {
	c.states.with(k, func(s *keyState) {
		if s.next == nil {
			s.course = course{}
		}
		s.course.under = true
	})
}

// arrive ends a call of a key, which has written; where it goes on the course does
// too.
func (c *Controller) arrive(k Key, writes []writer.Write) {
	anew := false
	c.states.with(k, func(s *keyState) {
		s.course.own = append(s.course.own, writes...)
		if s.next != nil {
			return
		}
		anew = s.course.continues && s.course.disturbed()
		s.course = course{}
	})
	if anew {
		c.queue().Add(k, queue.Normal)
	}
}
