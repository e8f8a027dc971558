package view

import (
	"iter"

	"github.com/loopdock/loopdock/abi/wire"
)

// Map is a view of a map field with string keys. Its zero value is the empty
// map, and what building one starts from:
//
//	labels := view.StringMap{}.With("app", "web").With("tier", "front")
//
// # Notes
//
//   - A look-up walks the entries: maps on objects are small. Copy a large one
//     that is looked up often into a Go map, by maps.Collect(m.All()).
//   - Where a key stands twice, which Kubernetes does not write, a look-up
//     takes the last entry as protobuf says, and All and Len see both.
type Map[V ~string | ~[]byte] struct {
	b     []byte // the message that holds the entries
	field int    // their field number there
}

// StringMap is a map from strings to strings, such as labels.
type StringMap = Map[string]

// BytesMap is a map from strings to byte strings, such as a Secret's data.
type BytesMap = Map[[]byte]

// An entry is a message of two fields.
const (
	entryKey   = 1
	entryValue = 2
)

// NewMap is the view of the map field with that number in the message b.
func NewMap[V ~string | ~[]byte](b []byte, field int) Map[V] { return Map[V]{b, field} }

// Get is the value under key, and whether there is one.
func (m Map[V]) Get(key string) (V, bool) {
	v, ok := m.Lookup(key)
	return V(v), ok
}

// Has reports whether key is in the map.
func (m Map[V]) Has(key string) bool {
	_, ok := m.Lookup(key)
	return ok
}

// Lookup is like Get, but gives the value's bytes without copying them.
func (m Map[V]) Lookup(key string) ([]byte, bool) {
	var last []byte
	found := false
	for r := wire.NewReader(m.b); r.Next(); {
		if r.Field() != m.field || r.Type() != wire.Bytes {
			continue
		}
		if entry := r.Bytes(); string(Bytes(entry, entryKey)) == key {
			last, found = entry, true
		}
	}
	return Bytes(last, entryValue), found
}

// All walks the entries in the order in which they stand: by key, as
// Kubernetes writes them.
func (m Map[V]) All() iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for r := wire.NewReader(m.b); r.Next(); {
			if r.Field() != m.field || r.Type() != wire.Bytes {
				continue
			}
			entry := r.Bytes()
			if !yield(String(entry, entryKey), V(Bytes(entry, entryValue))) {
				return
			}
		}
	}
}

// Len is the number of entries.
func (m Map[V]) Len() int { return Len(m.b, m.field) }
