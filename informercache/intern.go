package informercache

import "sync"

// maxInterned bounds each table of an interner. A full table is dropped, which
// costs some sharing and nothing else.
const maxInterned = 1 << 14

// interner lets equal parts of many objects share their memory: strings that
// repeat, label sets, owner references. It is safe for several goroutines.
type interner struct {
	mu      sync.Mutex
	strings map[string]string
	labels  map[string]*Labels
	owners  map[string]*owners
}

func newInterner() *interner {
	return &interner{strings: map[string]string{}, labels: map[string]*Labels{}, owners: map[string]*owners{}}
}

// string is string(b), shared with earlier ones.
func (in *interner) string(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if s, ok := in.strings[string(b)]; ok {
		return s
	}
	s := string(b)
	keep(in.strings, s, s)
	return s
}

// labelSet decodes the fields of a label map, or finds an equal one.
func (in *interner) labelSet(fields []byte) (*Labels, error) {
	if len(fields) == 0 {
		return noLabels, nil
	}
	in.mu.Lock()
	l, ok := in.labels[string(fields)]
	in.mu.Unlock()
	if ok {
		return l, nil
	}
	l, err := readLabels(fields, in)
	if err != nil {
		return nil, err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	keep(in.labels, string(fields), l)
	return l, nil
}

// ownerSet decodes the fields of owner references, or finds equal ones.
func (in *interner) ownerSet(fields []byte) (*owners, error) {
	if len(fields) == 0 {
		return noOwners, nil
	}
	in.mu.Lock()
	s, ok := in.owners[string(fields)]
	in.mu.Unlock()
	if ok {
		return s, nil
	}
	s, err := readOwners(fields, in)
	if err != nil {
		return nil, err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	keep(in.owners, string(fields), s)
	return s, nil
}

func keep[V any](m map[string]V, key string, v V) {
	if len(m) >= maxInterned {
		clear(m)
	}
	m[key] = v
}
