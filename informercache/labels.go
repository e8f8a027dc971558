package informercache

import (
	"iter"
	"slices"
	"strings"

	"github.com/loopdock/loopdock/abi/wire"
)

// Labels are the labels of an object, sorted by key. Objects with equal labels
// share one. It implements labels.Labels of apimachinery.
type Labels struct {
	pairs []label
}

type label struct{ key, value string }

var noLabels = &Labels{}

// Has tells whether there is a label of that key.
func (l *Labels) Has(key string) bool {
	_, ok := l.Lookup(key)
	return ok
}

// Get returns the value of a label, "" if there is none.
func (l *Labels) Get(key string) string {
	v, _ := l.Lookup(key)
	return v
}

// Lookup returns the value of a label, and whether there is one.
func (l *Labels) Lookup(key string) (string, bool) {
	for i := range l.pairs {
		if l.pairs[i].key == key {
			return l.pairs[i].value, true
		}
	}
	return "", false
}

// All walks the labels in the order of their keys.
func (l *Labels) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, p := range l.pairs {
			if !yield(p.key, p.value) {
				return
			}
		}
	}
}

// Len is the number of labels.
func (l *Labels) Len() int { return len(l.pairs) }

// readLabels decodes the entries of a map of strings. The last of equal keys
// counts, as for every protobuf decoder.
func readLabels(entries []byte, in *interner) (*Labels, error) {
	var l Labels
	r := wire.NewReader(entries)
	for r.Next() {
		key, value, err := mapEntry(r.Bytes())
		if err != nil {
			return nil, err
		}
		p := label{in.string(key), in.string(value)}
		i, found := slices.BinarySearchFunc(l.pairs, p.key, func(p label, key string) int { return strings.Compare(p.key, key) })
		if found {
			l.pairs[i] = p
			continue
		}
		l.pairs = slices.Insert(l.pairs, i, p)
	}
	l.pairs = slices.Clip(l.pairs)
	return &l, r.Err()
}

// mapEntry splits an entry of a map of strings. The results are views.
func mapEntry(entry []byte) (key, value []byte, err error) {
	r := wire.NewReader(entry)
	for r.Next() {
		switch r.Field() {
		case 1:
			key = r.Bytes()
		case 2:
			value = r.Bytes()
		}
	}
	return key, value, r.Err()
}
