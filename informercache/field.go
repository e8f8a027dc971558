package informercache

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/loopdock/loopdock/abi/wire"
)

// protoField collects the fields at the path, tags included. Where a level of
// the path repeats, what its elements hold is set apart by a zero, which no
// field begins with.
func protoField(msg []byte, path []int32) []byte {
	if len(path) == 0 {
		return msg
	}
	var out []byte
	n := 0
	field, rest := int(path[0]), path[1:]
	last := len(rest) == 0
	for r := wire.NewReader(msg); r.Next(); {
		if r.Field() != field || !last && r.Type() != wire.Bytes {
			continue
		}
		part := r.Raw()
		if !last {
			part = protoField(r.Bytes(), rest)
		}
		if n++; n == 1 {
			out = part
			continue
		}
		out = appendApart(out, part, last)
	}
	return out
}

// appendApart appends to a view without writing to what it views.
func appendApart(out, part []byte, last bool) []byte {
	out = slices.Clip(out)
	if !last {
		out = append(out, 0)
	}
	return append(out, part...)
}

// protoValues appends the values of a field as an index takes them.
func protoValues(values []string, msg []byte, path []int32, typ FieldType) []string {
	if len(path) == 0 {
		return values
	}
	field, rest := int(path[0]), path[1:]
	for r := wire.NewReader(msg); r.Next(); {
		if r.Field() != field {
			continue
		}
		if len(rest) > 0 {
			if r.Type() == wire.Bytes {
				values = protoValues(values, r.Bytes(), rest, typ)
			}
			continue
		}
		switch r.Type() {
		case wire.Bytes:
			if typ != Map {
				values = append(values, string(r.Bytes()))
			} else if key, value, err := mapEntry(r.Bytes()); err == nil {
				values = append(values, string(key)+"="+string(value))
			}
		case wire.Varint:
			if typ == Bool {
				values = append(values, strconv.FormatBool(r.Bool()))
			} else {
				values = append(values, strconv.FormatInt(r.Int(), 10))
			}
		default:
		}
	}
	return values
}

// jsonField collects the values at the path, each followed by a zero where
// there are several.
func jsonField(doc []byte, path string) []byte {
	if path == "" {
		return doc
	}
	var out []byte
	n := 0
	jsonWalk(doc, path, func(v []byte) {
		if n++; n == 1 {
			out = v
			return
		}
		out = appendApart(out, v, false)
	})
	return out
}

// jsonWalk calls f for each value at the path; arrays on the way are walked.
func jsonWalk(v []byte, path string, f func([]byte)) {
	if len(v) > 0 && v[0] == '[' {
		_ = jsonMembers(v, 0, func(s jsonSpan) bool { // what is malformed holds no field
			jsonWalk(v[s.value:s.end:s.end], path, f)
			return true
		})
		return
	}
	if path == "" {
		f(v)
		return
	}
	key, rest, _ := strings.Cut(path, ".")
	if v = jsonMember(v, key); v != nil {
		jsonWalk(v, rest, f)
	}
}

// jsonValues is protoValues for documents.
func jsonValues(doc []byte, path string, typ FieldType) []string {
	var values []string
	if path == "" {
		return nil
	}
	jsonWalk(doc, path, func(v []byte) {
		switch {
		case len(v) == 0 || bytes.Equal(v, []byte("null")):
		case v[0] == '"':
			values = append(values, string(unquoted(v)))
		case v[0] == '{' && typ == Map:
			_ = jsonMembers(v, 0, func(s jsonSpan) bool { // what is malformed has no values
				values = append(values, string(s.key)+"="+string(unquoted(v[s.value:s.end])))
				return true
			})
		case v[0] != '{':
			values = append(values, string(v))
		}
	})
	return values
}

// indexValues are the values under which an object is found; never none.
func indexValues(o *Object, i Index) []string {
	var values []string
	if o.encoding == JSON {
		values = jsonValues(o.raw, i.Path.Name, i.Type)
	} else {
		values = protoValues(nil, o.raw, i.Path.Numbers, i.Type)
	}
	switch {
	case len(values) > 0:
	case i.Type == Bool:
		values = []string{"false"}
	default:
		values = []string{""}
	}
	return values
}
