package view

import (
	"iter"

	"github.com/loopdock/loopdock/abi/wire"
)

// List walks a repeated field of messages or byte strings, as views, or of
// strings, as copies.
func List[V ~string | ~[]byte](b []byte, field int) iter.Seq[V] {
	return func(yield func(V) bool) {
		for r := wire.NewReader(b); r.Next(); {
			if r.Field() == field && r.Type() == wire.Bytes && !yield(V(r.Bytes())) {
				return
			}
		}
	}
}

// Len is the number of elements that List gives.
func Len(b []byte, field int) int {
	n := 0
	for r := wire.NewReader(b); r.Next(); {
		if r.Field() == field && r.Type() == wire.Bytes {
			n++
		}
	}
	return n
}

// Ints walks a repeated field of integers, packed or not.
func Ints[V ~int32 | ~int64](b []byte, field int) iter.Seq[V] {
	return func(yield func(V) bool) {
		for r := wire.NewReader(b); r.Next(); {
			switch {
			case r.Field() != field:
			case r.Type() == wire.Varint:
				if !yield(V(r.Int())) {
					return
				}
			case r.Type() == wire.Bytes:
				if !unpack(r.Bytes(), yield) {
					return
				}
			}
		}
	}
}

// IntsLen is the number of elements that Ints gives.
func IntsLen(b []byte, field int) int {
	n := 0
	for range Ints[int64](b, field) {
		n++
	}
	return n
}

// unpack yields the varints of a packed field. It is false once yield is. What
// follows a malformed varint is dropped.
func unpack[V ~int32 | ~int64](b []byte, yield func(V) bool) bool {
	var v uint64
	shift := 0
	for _, c := range b {
		if shift > 63 {
			return true
		}
		v |= uint64(c&0x7f) << shift
		shift += 7
		if c < 0x80 {
			if !yield(V(v)) {
				return false
			}
			v, shift = 0, 0
		}
	}
	return true
}
