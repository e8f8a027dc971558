package queue

import (
	"container/heap"
	"time"
)

// entry is what is known of a key beyond its place among the ready ones. A key
// that is neither with a worker, nor parked, nor waiting for a time has none.
type entry[K comparable] struct {
	key     K
	working bool      // with a worker
	parked  bool      // not to be handed to one
	backOff time.Time // not before then; zero if not in back-off
	requeue time.Time // by then at the latest; zero if not asked for
	now     bool      // AddNow while with a worker: the failure of that run won't count
	run     Priority  // of the last run: a retry has the same
	pending bool      // comes when nothing holds it any more
	// priority is the highest at which it is pending.
	priority Priority
	index    int // in timers, -1 if not there
}

// held reports whether an event must wait.
func (e *entry[K]) held() bool { return e.working || e.parked || !e.backOff.IsZero() }

// idle reports whether nothing is left to know.
func (e *entry[K]) idle() bool { return !e.held() && e.requeue.IsZero() && !e.pending }

// remember notes that the key is to come when nothing holds it any more.
func (e *entry[K]) remember(p Priority) {
	if !e.pending || p > e.priority {
		e.priority = p
	}
	e.pending = true
}

// due is when the clock next concerns the key; zero if it does not.
func (e *entry[K]) due() time.Time {
	if !e.backOff.IsZero() {
		return e.backOff
	}
	return e.requeue
}

// timers is a heap of the entries that the clock concerns, the earliest first.
type timers[K comparable] []*entry[K]

var _ heap.Interface = (*timers[string])(nil)

func (t timers[K]) Len() int           { return len(t) }
func (t timers[K]) Less(i, j int) bool { return t[i].due().Before(t[j].due()) }

func (t timers[K]) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].index, t[j].index = i, j
}

// Push implements heap.Interface.
func (t *timers[K]) Push(x any) {
	e, ok := x.(*entry[K])
	if !ok {
		return
	}
	e.index = len(*t)
	*t = append(*t, e)
}

// Pop implements heap.Interface.
func (t *timers[K]) Pop() any {
	last := len(*t) - 1
	e := (*t)[last]
	(*t)[last] = nil
	*t = (*t)[:last]
	e.index = -1
	return e
}

// set puts the entry where its due time belongs, or takes it out.
func (t *timers[K]) set(e *entry[K]) {
	switch due := e.due(); {
	case due.IsZero() && e.index >= 0:
		heap.Remove(t, e.index)
	case due.IsZero():
	case e.index >= 0:
		heap.Fix(t, e.index)
	default:
		heap.Push(t, e)
	}
}
