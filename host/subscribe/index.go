package subscribe

import (
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/informercache"
)

// Index maps reads to the keys that made them, and changes to the keys that
// they concern. It is safe for use by several goroutines.
type Index[K comparable] struct {
	mu      sync.Mutex
	reads   map[string]*entry[K]                              // by Read.id
	buckets map[bucket]map[*entry[K]]struct{}                 // where changes find them
	keys    map[K]map[*entry[K]]struct{}                      // what each key read
	indexes map[schema.GroupVersionKind]map[string]*usedIndex // declared indexes in use, with the number of reads
	bytes   int64
}

// entry is one distinct read and the keys that made it.
type entry[K comparable] struct {
	id   string
	read Read
	at   bucket
	keys map[K]struct{}
}

// New makes an empty index.
func New[K comparable]() *Index[K] {
	return &Index[K]{
		reads:   map[string]*entry[K]{},
		buckets: map[bucket]map[*entry[K]]struct{}{},
		keys:    map[K]map[*entry[K]]struct{}{},
		indexes: map[schema.GroupVersionKind]map[string]*usedIndex{},
	}
}

// Drop forgets all that the key read.
func (x *Index[K]) Drop(k K) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for e := range x.keys[k] {
		x.unlink(k, e)
	}
}

// Woken calls f with each key that the change concerns, once.
func (x *Index[K]) Woken(gvk schema.GroupVersionKind, old, cur *informercache.Object, f func(K)) {
	for _, k := range x.woken(gvk, old, cur) {
		f(k)
	}
}

func (x *Index[K]) woken(gvk schema.GroupVersionKind, old, cur *informercache.Object) []K {
	x.mu.Lock()
	defer x.mu.Unlock()
	var seen map[*entry[K]]struct{}
	var keys map[K]struct{}
	look := func(b bucket) {
		for e := range x.buckets[b] {
			if _, done := seen[e]; done {
				continue
			}
			if seen == nil {
				seen, keys = map[*entry[K]]struct{}{}, map[K]struct{}{}
			}
			seen[e] = struct{}{}
			if e.read.differs(old, cur) {
				for k := range e.keys {
					keys[k] = struct{}{}
				}
			}
		}
	}
	visit(gvk, old, x.indexes[gvk], look)
	visit(gvk, cur, x.indexes[gvk], look)
	out := make([]K, 0, len(keys))
	for k := range keys {
		out = append(out, k)
	}
	return out
}

// Stats says how much the index holds.
type Stats struct {
	Keys  int   // keys that read something
	Reads int   // distinct reads
	Links int   // pairs of a key and a read
	Bytes int64 // an estimate of the memory taken
}

// Stats counts what the index holds.
func (x *Index[K]) Stats() Stats {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := Stats{Keys: len(x.keys), Reads: len(x.reads), Bytes: x.bytes}
	for _, set := range x.keys {
		s.Links += len(set)
	}
	return s
}

// Sizes of map entries and structs, for the estimate in Stats.
const (
	entryBytes = 400
	linkBytes  = 2 * 24
)

func (x *Index[K]) link(k K, r *Read) *entry[K] {
	id := r.id()
	e := x.reads[id]
	if e == nil {
		e = &entry[K]{id: id, read: *r, at: bucketOf(r), keys: map[K]struct{}{}}
		x.reads[id] = e
		if x.buckets[e.at] == nil {
			x.buckets[e.at] = map[*entry[K]]struct{}{}
		}
		x.buckets[e.at][e] = struct{}{}
		x.countIndex(&e.read, 1)
		x.bytes += entryBytes + int64(len(id))
	}
	if _, ok := e.keys[k]; !ok {
		e.keys[k] = struct{}{}
		if x.keys[k] == nil {
			x.keys[k] = map[*entry[K]]struct{}{}
		}
		x.keys[k][e] = struct{}{}
		x.bytes += linkBytes
	}
	return e
}

func (x *Index[K]) unlink(k K, e *entry[K]) {
	delete(e.keys, k)
	delete(x.keys[k], e)
	x.bytes -= linkBytes
	if len(x.keys[k]) == 0 {
		delete(x.keys, k)
	}
	if len(e.keys) > 0 {
		return
	}
	delete(x.reads, e.id)
	delete(x.buckets[e.at], e)
	if len(x.buckets[e.at]) == 0 {
		delete(x.buckets, e.at)
	}
	x.countIndex(&e.read, -1)
	x.bytes -= entryBytes + int64(len(e.id))
}

// usedIndex is a declared index and the number of reads that use it.
type usedIndex struct {
	index informercache.Index
	reads int
}

func (x *Index[K]) countIndex(r *Read, by int) {
	if r.Query.Index == "" || r.Index == nil {
		return
	}
	m := x.indexes[r.GVK]
	if m == nil {
		m = map[string]*usedIndex{}
		x.indexes[r.GVK] = m
	}
	used := m[r.Query.Index]
	if used == nil {
		used = &usedIndex{index: *r.Index}
		m[r.Query.Index] = used
	}
	if used.reads += by; used.reads == 0 {
		delete(m, r.Query.Index)
	}
}
