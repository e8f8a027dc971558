package view

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/loopdock/loopdock/abi/wire"
)

// Shape says which fields of a message can be written in several ways: those
// that are messages themselves, and maps. Shapes are generated.
type Shape []ShapeField

// ShapeField is such a field.
type ShapeField struct {
	Number int
	// Map says that the field is a map.
	Map bool
	// Of is the shape of the field, or of a map's values, nil if these are no
	// messages.
	Of *Shape
	// Text gives one spelling for all that mean the same, nil if there is one only.
	Text func([]byte) []byte
}

// Canonical gives the bytes of a message in one of the ways in which they can
// be written: equal messages have equal bytes then.
//
// # Notes
//
//   - Fields stand by their numbers, and maps by their keys. The elements of a
//     repeated field keep their order.
//   - Fields that the shape does not know are kept, in their places.
//   - An absent field is not the same as one that is set to its zero value.
//   - What is malformed, and all that follows it, is kept as it is.
func Canonical(b []byte, s *Shape) []byte {
	return appendCanonical(make([]byte, 0, len(b)+overhead), b, s)
}

// part is a field as it stands in a message.
type part struct {
	number    int
	raw, body []byte // body is nil where it is not length-delimited
}

// appendCanonical appends a message in the shape that it has.
func appendCanonical(out, b []byte, s *Shape) []byte {
	var parts []part
	end := 0
	for r := wire.NewReader(b); r.Next(); {
		p := part{number: r.Field(), raw: r.Raw()}
		if r.Type() == wire.Bytes {
			p.body = r.Bytes()
		}
		parts = append(parts, p)
		end = r.Offset() + len(p.raw)
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		if c := cmp.Compare(a.number, b.number); c != 0 || !s.isMap(a.number) {
			return c
		}
		return bytes.Compare(Bytes(a.body, entryKey), Bytes(b.body, entryKey))
	})
	for i := range parts {
		out = parts[i].append(out, s.field(parts[i].number))
	}
	return append(out, b[end:]...)
}

// append appends the field in the shape that it has, nil if it has none.
func (p *part) append(out []byte, f *ShapeField) []byte {
	var of *Shape
	switch {
	case f == nil || p.body == nil:
		return append(out, p.raw...)
	case f.Text != nil:
		return appendBytes(out, p.number, f.Text(p.body))
	case f.Map && f.Of != nil:
		of = &Shape{{Number: entryValue, Of: f.Of}}
	case f.Map:
		of = &Shape{}
	default:
		of = f.Of
	}
	return wire.AppendMessage(out, p.number, func(out []byte) []byte { return appendCanonical(out, p.body, of) })
}

// field is the field with that number, nil if the shape has none.
func (s *Shape) field(number int) *ShapeField {
	if s == nil {
		return nil
	}
	for i := range *s {
		if (*s)[i].Number == number {
			return &(*s)[i]
		}
	}
	return nil
}

func (s *Shape) isMap(number int) bool {
	f := s.field(number)
	return f != nil && f.Map
}
