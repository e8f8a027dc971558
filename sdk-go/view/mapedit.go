package view

import "github.com/loopdock/loopdock/abi/wire"

// mapField is the field number of the entries in a map that stands alone.
const mapField = 1

// With returns a map with the value under key set.
func (m Map[V]) With(key string, v V) Map[V] {
	return Map[V]{WithEntry(m.alone(), mapField, key, v), mapField}
}

// Without returns a map without key.
func (m Map[V]) Without(key string) Map[V] {
	return Map[V]{WithoutEntry(m.alone(), mapField, key), mapField}
}

// alone is a message that holds the map's entries and nothing else.
func (m Map[V]) alone() []byte { return WithMap(nil, mapField, m) }

// WithMap returns b with a map field replaced by the entries of m; removed if
// there are none.
func WithMap[V ~string | ~[]byte](b []byte, field int, m Map[V]) []byte {
	at := place(b, field)
	out := append(make([]byte, 0, len(b)+len(m.b)), b[:at]...)
	for r := wire.NewReader(m.b); r.Next(); {
		if r.Field() == m.field && r.Type() == wire.Bytes {
			out = appendBytes(out, field, r.Bytes())
		}
	}
	return appendWithout(out, b[at:], field)
}

// WithEntry returns b with the entry under key set in a map field. A new entry
// goes where its key belongs in order.
func WithEntry[V ~string | ~[]byte](b []byte, field int, key string, v V) []byte {
	at := placeEntry(b, field, key)
	out := make([]byte, 0, len(b)+len(key)+len(v)+3*overhead)
	out = append(out, b[:at]...)
	size := 1 + wire.SizeVarint(uint64(len(key))) + len(key) + 1 + wire.SizeVarint(uint64(len(v))) + len(v)
	out = wire.AppendVarint(wire.AppendTag(out, field, wire.Bytes), uint64(size)) //nolint:gosec // a sum of lengths
	out = appendBytes(out, entryKey, key)
	out = appendBytes(out, entryValue, v)
	return appendWithoutEntry(out, b[at:], field, key)
}

// WithoutEntry returns b without the entry under key in a map field.
func WithoutEntry(b []byte, field int, key string) []byte {
	return appendWithoutEntry(make([]byte, 0, len(b)), b, field, key)
}

func appendWithoutEntry(out, b []byte, field int, key string) []byte {
	kept := 0
	for r := wire.NewReader(b); r.Next(); {
		if r.Field() == field && r.Type() == wire.Bytes && string(Bytes(r.Bytes(), entryKey)) == key {
			out = append(out, b[kept:r.Offset()]...)
			kept = r.Offset() + len(r.Raw())
		}
	}
	return append(out, b[kept:]...)
}

// placeEntry is where the entry under key stands or belongs.
func placeEntry(b []byte, field int, key string) int {
	at := -1
	for r := wire.NewReader(b); r.Next(); {
		if r.Field() != field || r.Type() != wire.Bytes {
			continue
		}
		switch k := string(Bytes(r.Bytes(), entryKey)); {
		case k == key:
			return r.Offset()
		case k > key && at < 0:
			at = r.Offset()
		}
	}
	if at < 0 {
		return placeAfter(b, field)
	}
	return at
}
