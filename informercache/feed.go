package informercache

import (
	"errors"
	"fmt"
)

// feed is the end of a watch at which client-go's Reflector puts in what it
// sees. It implements cache.ReflectorStore and cache.ReflectorBookmarkStore.
type feed struct{ *watched }

var errNotItem = errors.New("not an object of this decoder")

// Add implements cache.ReflectorStore.
func (f feed) Add(obj any) error { return f.Update(obj) }

// Update implements cache.ReflectorStore.
func (f feed) Update(obj any) error {
	i, ok := obj.(*item)
	if !ok {
		return fmt.Errorf("cannot store %T: %w", obj, errNotItem)
	}
	f.tell(f.store.set(i.obj, f.clock.Now()), i.obj.version, false)
	return nil
}

// Delete implements cache.ReflectorStore.
func (f feed) Delete(obj any) error {
	i, ok := obj.(*item)
	if !ok {
		return fmt.Errorf("cannot delete %T: %w", obj, errNotItem)
	}
	f.tell(f.store.unset(i.obj.namespace, i.obj.name, i.obj.version), i.obj.version, false)
	return nil
}

// Replace implements cache.ReflectorStore.
func (f feed) Replace(list []any, version string) error {
	objects := make([]*Object, 0, len(list))
	for _, l := range list {
		i, ok := l.(*item)
		if !ok {
			return fmt.Errorf("cannot store %T: %w", l, errNotItem)
		}
		objects = append(objects, i.obj)
	}
	f.relists.Add(1)
	changes := f.store.replace(objects, version, f.clock.Now())
	f.status.working()
	f.tell(changes, version, true)
	return nil
}

// Resync implements cache.ReflectorStore; there is nothing to repeat.
func (f feed) Resync() error { return nil }

// Bookmark implements cache.ReflectorBookmarkStore.
func (f feed) Bookmark(version string) error {
	f.store.advance(version)
	f.tell(nil, version, false)
	return nil
}

// tell passes a step on, unless the last user has gone.
func (f feed) tell(changes []Change, version string, relisted bool) {
	for _, s := range f.subscribers.current() {
		for _, c := range changes {
			if f.isReleased() {
				return
			}
			c.Target = f.target
			s.Changed(c)
		}
		if f.isReleased() {
			return
		}
		s.Progressed(f.target, version, relisted)
	}
}
