package informercache

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// store holds the objects of one watch behind a lock that is only ever held
// for moments: what takes long (decoding, comparing a relist, building an
// index) is done before, under the writers' own lock.
type store struct {
	write    sync.Mutex // held by writers throughout; readers don't take it
	observed []Path     // under write; never changed in place
	declared []Index    // under write

	mu       sync.RWMutex
	core     *core
	version  string
	synced   bool
	progress chan struct{} // closed at the next step; nil if nobody waits
}

func newStore() *store { return &store{core: newCore(nil)} }

// inPlace is how many changes of a relist are applied under the lock, one
// after the other; for more of them a new core is built beside the old one.
const inPlace = 64

func (s *store) get(namespace, name string) *Object {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.core.get(namespace, name)
}

// set takes one object that a watch delivered. It returns the changes in
// the order in which they are to be told.
func (s *store) set(o *Object, now time.Time) []Change {
	s.write.Lock()
	defer s.write.Unlock()
	before := s.core.get(o.namespace, o.name) // reading needs no lock among writers
	if before != nil && before.same(o) {
		s.advance(o.version)
		return nil
	}
	changes := s.step(nil, before, o, now)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.core.put(o)
	s.moved(o.version)
	return changes
}

// step appends the change from one state to another, which becomes two where
// the name was taken over, and notes the observed fields.
func (s *store) step(changes []Change, before, o *Object, now time.Time) []Change {
	if before != nil && before.uid != o.uid {
		changes = append(changes, Change{Old: before})
		before = nil
	}
	observe(o, before, s.observed, now)
	return append(changes, Change{Old: before, New: o})
}

// unset removes an object that a watch reported as deleted at that version.
func (s *store) unset(namespace, name, version string) []Change {
	s.write.Lock()
	defer s.write.Unlock()
	before := s.core.get(namespace, name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.core.remove(namespace, name)
	s.moved(version)
	if before == nil {
		return nil
	}
	return []Change{{Old: before}}
}

// replace makes the objects of a list the whole content.
func (s *store) replace(list []*Object, version string, now time.Time) []Change {
	s.write.Lock()
	defer s.write.Unlock()
	var changes []Change
	kept := make([]bool, len(s.core.slots))
	for i, o := range list {
		slot, ok := s.core.slot(o.namespace, o.name)
		if !ok {
			changes = s.step(changes, nil, o, now)
			continue
		}
		kept[slot] = true
		if before := s.core.slots[slot]; before.same(o) {
			list[i] = before
		} else {
			changes = s.step(changes, before, o, now)
		}
	}
	for slot, o := range s.core.slots {
		if o != nil && !kept[slot] {
			changes = append(changes, Change{Old: o})
		}
	}
	first := !s.synced
	s.install(list, changes, version)
	for i := range changes {
		changes[i].Initial = first
	}
	return changes
}

// install makes a list visible in one moment.
func (s *store) install(list []*Object, changes []Change, version string) {
	var fresh *core
	if len(changes) > inPlace {
		fresh = newCore(s.declared)
		for _, o := range list {
			fresh.put(o)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if fresh != nil {
		s.core = fresh
	} else {
		apply(s.core, changes)
	}
	s.synced = true
	s.moved(version)
}

func apply(c *core, changes []Change) {
	for _, ch := range changes {
		if ch.New != nil {
			c.put(ch.New)
		} else {
			c.remove(ch.Old.namespace, ch.Old.name)
		}
	}
}

// advance notes that the watch has come to a version.
func (s *store) advance(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moved(version)
}

// moved is advance under the lock.
func (s *store) moved(version string) {
	if version != "" {
		s.version = version
	}
	if s.progress != nil {
		close(s.progress)
		s.progress = nil
	}
}

// widen adds what a further user demands. Indexes are built and times noted
// beside the store, and put in place in a moment.
func (s *store) widen(d Demand, now time.Time) {
	s.write.Lock()
	defer s.write.Unlock()
	built := map[indexKey]*declaredIndex{}
	for _, i := range d.Indexes {
		if s.core.declared[i.key()] == nil && built[i.key()] == nil {
			built[i.key()] = s.build(i)
			s.declared = append(s.declared, i)
		}
	}
	noted := s.note(d.Observed, now)
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.core.declared, built)
	if noted != nil {
		s.core.slots = noted
	}
}

func (s *store) build(i Index) *declaredIndex {
	index := newDeclaredIndex(i)
	for slot, o := range s.core.slots {
		if o != nil {
			index.update(uint32(slot), nil, o)
		}
	}
	return index
}

// note returns the slots with objects that carry times for further paths, nil
// if there are none.
func (s *store) note(paths []Path, now time.Time) []*Object {
	all := slices.Clone(s.observed)
	for _, p := range paths {
		if !slices.ContainsFunc(all, p.equal) {
			all = append(all, p)
		}
	}
	if len(all) == len(s.observed) {
		return nil
	}
	s.observed = all
	noted := make([]*Object, len(s.core.slots))
	for slot, o := range s.core.slots {
		if o != nil {
			n := *o
			observe(&n, o, all, now)
			noted[slot] = &n
		}
	}
	return noted
}
