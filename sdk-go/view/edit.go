package view

import "github.com/loopdock/loopdock/abi/wire"

// overhead is the most that a tag and a length, or a tag and a varint, take.
const overhead = 5 + 10

// WithBytes returns b with a length-delimited field set, empty or not.
func WithBytes[V ~string | ~[]byte](b []byte, field int, v V) []byte {
	at := place(b, field)
	out := make([]byte, 0, len(b)+len(v)+overhead)
	out = append(out, b[:at]...)
	out = appendBytes(out, field, v)
	return appendWithout(out, b[at:], field)
}

// WithInt returns b with an int32 or int64 field set, zero or not.
func WithInt(b []byte, field int, v int64) []byte {
	at := place(b, field)
	out := make([]byte, 0, len(b)+overhead)
	out = append(out, b[:at]...)
	out = appendInt(out, field, v)
	return appendWithout(out, b[at:], field)
}

// WithBool returns b with a bool field set, false or not.
func WithBool(b []byte, field int, v bool) []byte {
	if v {
		return WithInt(b, field, 1)
	}
	return WithInt(b, field, 0)
}

// Without returns b without the fields of that number.
func Without(b []byte, field int) []byte {
	return appendWithout(make([]byte, 0, len(b)), b, field)
}

func appendBytes[V ~string | ~[]byte](out []byte, field int, v V) []byte {
	out = wire.AppendVarint(wire.AppendTag(out, field, wire.Bytes), uint64(len(v)))
	return append(out, v...)
}

func appendInt(out []byte, field int, v int64) []byte {
	return wire.AppendVarint(wire.AppendTag(out, field, wire.Varint), uint64(v)) //nolint:gosec // two's complement
}

// appendWithout appends b without the fields of that number. Malformed bytes,
// and all that follows them, are kept.
func appendWithout(out, b []byte, field int) []byte {
	kept := 0 // where the bytes start that are not yet appended
	for r := wire.NewReader(b); r.Next(); {
		if r.Field() == field {
			out = append(out, b[kept:r.Offset()]...)
			kept = r.Offset() + len(r.Raw())
		}
	}
	return append(out, b[kept:]...)
}

// place is where a field belongs: where it stands if it is there, else before
// the first field with a greater number, as encoders write them in that order.
func place(b []byte, field int) int {
	at, end := -1, 0
	for r := wire.NewReader(b); r.Next(); {
		if r.Field() == field {
			return r.Offset()
		}
		if r.Field() > field && at < 0 {
			at = r.Offset()
		}
		end = r.Offset() + len(r.Raw())
	}
	if at < 0 {
		return end
	}
	return at
}

// placeAfter is where another element of a repeated field belongs.
func placeAfter(b []byte, field int) int {
	at := -1
	for r := wire.NewReader(b); r.Next(); {
		if r.Field() == field {
			at = r.Offset() + len(r.Raw())
		}
	}
	if at < 0 {
		return place(b, field)
	}
	return at
}
