package subscribe

import (
	"bytes"
	"encoding/json"

	"github.com/loopdock/loopdock/abi/wire"
	"github.com/loopdock/loopdock/informercache"
)

// Field is a field of an object, or one entry of a field that is a map.
type Field struct {
	informercache.Path
	// MapKey is the entry's key. Empty means the whole field.
	MapKey string
}

func (f *Field) id() string {
	b := []byte(f.Name + "\x01" + f.MapKey)
	for _, n := range f.Numbers {
		b = wire.AppendVarint(b, uint64(n)) //nolint:gosec // field numbers are positive
	}
	return string(b)
}

// Bytes gives the field as bytes that are equal exactly if the field is.
func (f *Field) Bytes(o *informercache.Object) []byte {
	b := o.Field(f.Path)
	if f.MapKey == "" {
		return b
	}
	v, _ := f.entry(o, b)
	return v
}

// Values gives the field's values as an index over it would.
func (f *Field) Values(o *informercache.Object) []string {
	if f.MapKey == "" {
		return informercache.Index{Path: f.Path}.Values(o)
	}
	if v, ok := f.entry(o, o.Field(f.Path)); ok {
		return []string{string(v)}
	}
	return nil
}

// entry finds the map entry's value in the bytes of the map.
func (f *Field) entry(o *informercache.Object, b []byte) ([]byte, bool) {
	if o.Encoding() == informercache.JSON {
		var m map[string]string
		if json.Unmarshal(b, &m) != nil {
			return nil, false
		}
		v, ok := m[f.MapKey]
		return []byte(v), ok
	}
	for r := wire.NewReader(b); r.Next(); {
		if r.Type() != wire.Bytes {
			continue
		}
		if key, _ := wire.Find(r.Bytes(), 1); string(key) == f.MapKey {
			v, _ := wire.Find(r.Bytes(), 2)
			return v, true
		}
	}
	return nil, false
}

// Differs reports whether a change touches one of the fields, or the object's
// existence. No fields means any change.
func Differs(fields []Field, old, cur *informercache.Object) bool {
	if len(fields) == 0 || old == nil || cur == nil || old.UID() != cur.UID() {
		return true
	}
	for i := range fields {
		if !bytes.Equal(fields[i].Bytes(old), fields[i].Bytes(cur)) {
			return true
		}
	}
	return false
}
