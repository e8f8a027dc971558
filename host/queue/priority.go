package queue

import "k8s.io/client-go/util/workqueue"

// Priority says which of the waiting keys go first.
type Priority int

// The priorities, lowest first.
const (
	// Low is for keys that nothing happened to: the first listing, a new module.
	Low Priority = iota
	// Normal is for keys that something happened to.
	Normal

	priorities = int(Normal) + 1
)

// String is the priority's name in metrics.
func (p Priority) String() string {
	if p == Low {
		return "low"
	}
	return "normal"
}

// ready is the storage of a workqueue: one line of keys a priority. The
// workqueue serialises the calls but makes them from any goroutine.
type ready[K comparable] struct {
	// next is the priority at which Push and Touch add. It is set before each
	// call of the workqueue that may make them.
	next Priority
	// popped is the priority that the last key had when it was popped.
	popped Priority
	lines  [priorities][]place[K]
	keys   map[K]place[K] // where each key really stands
	seq    uint64
	// moved is told what enters and leaves each line.
	moved func(p Priority, by int)
}

// place is a key's place in a line. One that is not the key's real place any
// more is skipped when it comes to the front.
type place[K comparable] struct {
	key      K
	priority Priority
	seq      uint64
}

var _ workqueue.Queue[string] = (*ready[string])(nil)

func newReady[K comparable](moved func(Priority, int)) *ready[K] {
	return &ready[K]{keys: map[K]place[K]{}, moved: moved}
}

// Push implements workqueue.Queue: the key joins the end of its line.
func (r *ready[K]) Push(k K) {
	r.seq++
	p := place[K]{key: k, priority: r.next, seq: r.seq}
	r.keys[k] = p
	r.lines[p.priority] = append(r.lines[p.priority], p)
	r.moved(p.priority, 1)
}

// Touch implements workqueue.Queue: a key that is added again moves up if it is
// worth more now.
func (r *ready[K]) Touch(k K) {
	if was, ok := r.keys[k]; ok && was.priority < r.next {
		r.moved(was.priority, -1)
		r.Push(k)
	}
}

// Len implements workqueue.Queue.
func (r *ready[K]) Len() int { return len(r.keys) }

// Pop implements workqueue.Queue. It is called only where Len is not zero.
func (r *ready[K]) Pop() K {
	for p := priorities - 1; p >= 0; p-- {
		for len(r.lines[p]) > 0 {
			first := r.lines[p][0]
			r.lines[p][0] = place[K]{} // what lies behind the slice is kept alive otherwise
			r.lines[p] = r.lines[p][1:]
			if r.keys[first.key].seq == first.seq {
				delete(r.keys, first.key)
				r.popped = first.priority
				r.moved(first.priority, -1)
				return first.key
			}
		}
	}
	var none K
	return none
}
