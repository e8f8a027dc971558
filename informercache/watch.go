package informercache

import "sync"

// Watch is one user's hold on the watch of a target.
//
// # Notes
//
//   - It is safe for several goroutines. No method but WaitForSync, WaitFor and
//     Level waits for anything longer than a map update.
//   - After Release it answers from what was last seen.
type Watch struct {
	cache   *Cache
	watched *watched
	indexes map[string]indexKey // the names that this user gave
	once    sync.Once
}

func newWatch(c *Cache, w *watched, d Demand) *Watch {
	h := &Watch{cache: c, watched: w, indexes: make(map[string]indexKey, len(d.Indexes))}
	for _, i := range d.Indexes {
		h.indexes[i.Name] = i.key()
	}
	return h
}

// Release gives the watch up; with the last user it ends. It does not wait,
// and only its first call counts.
func (w *Watch) Release() {
	w.once.Do(func() { w.cache.release(w.watched) })
}

// Target is what the watch covers.
func (w *Watch) Target() Target { return w.watched.target }

// Status tells how the watch stands.
func (w *Watch) Status() Status { return w.watched.status.get() }

// Synced tells whether the first list is in.
func (w *Watch) Synced() bool {
	_, synced := w.watched.store.current()
	return synced
}

// Get returns the object of that name, nil if there is none.
func (w *Watch) Get(namespace, name string) *Object { return w.watched.store.get(namespace, name) }

// List returns the objects that the query selects, in the order of namespace
// and name. The slice is the caller's.
func (w *Watch) List(q Query) []*Object {
	p := plan{Query: q}
	if q.Index != "" {
		key := w.indexes[q.Index] // an unknown name gives a key that no index has
		p.index = &key
	}
	return w.watched.store.run(p)
}
