package wire

// Type is a protobuf wire type: how the bytes after a tag are laid out.
type Type uint8

// The wire types of protobuf. Groups (3 and 4) are refused: nothing that
// Loopdock or Kubernetes writes uses them.
const (
	Varint  Type = 0
	Fixed64 Type = 1
	Bytes   Type = 2
	Fixed32 Type = 5
)

// MaxField is the largest field number that protobuf allows.
const MaxField = 1<<29 - 1

// Error says what is wrong with a message's bytes. Errors are values that
// compare equal with ==.
type Error string

// Error implements error.
func (e Error) Error() string { return "malformed protobuf: " + string(e) }

// The ways in which bytes can be malformed.
const (
	ErrTruncated Error = "the message ends inside a field"
	ErrOverflow  Error = "a varint is longer than 64 bits"
	ErrField     Error = "a field number is out of range"
	ErrType      Error = "an unknown wire type"
	ErrMismatch  Error = "a field has another wire type than declared"
)

// AppendVarint appends v in base-128, least significant group first.
func AppendVarint(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// AppendTag appends the tag of a field.
func AppendTag(b []byte, field int, t Type) []byte {
	return AppendVarint(b, uint64(field)<<3|uint64(t)) //nolint:gosec // field numbers are positive constants
}

// AppendUint appends a varint field. Zero is the default and not written.
func AppendUint(b []byte, field int, v uint64) []byte {
	if v == 0 {
		return b
	}
	return AppendVarint(AppendTag(b, field, Varint), v)
}

// AppendInt appends an int32 or int64 field: negative values take ten bytes.
// Zero is the default and not written.
func AppendInt(b []byte, field int, v int64) []byte {
	return AppendUint(b, field, uint64(v)) //nolint:gosec // two's complement is protobuf's encoding of negatives
}

// AppendBool appends a bool field. False is the default and not written.
func AppendBool(b []byte, field int, v bool) []byte {
	if !v {
		return b
	}
	return append(AppendTag(b, field, Varint), 1)
}

// AppendFixed64 appends a fixed64 or double field. Zero is not written.
func AppendFixed64(b []byte, field int, v uint64) []byte {
	if v == 0 {
		return b
	}
	b = AppendTag(b, field, Fixed64)
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56)) //nolint:gosec // byte by byte
}

// AppendString appends a string field. The empty string is not written.
func AppendString(b []byte, field int, v string) []byte {
	if v == "" {
		return b
	}
	return AppendRawString(b, field, v)
}

// AppendRawString appends a string field also where it is empty: an element
// of a repeated field, or a value whose presence matters.
func AppendRawString(b []byte, field int, v string) []byte {
	b = AppendVarint(AppendTag(b, field, Bytes), uint64(len(v)))
	return append(b, v...)
}

// AppendBytes appends a bytes field. Empty bytes are not written.
func AppendBytes(b []byte, field int, v []byte) []byte {
	if len(v) == 0 {
		return b
	}
	return AppendRawBytes(b, field, v)
}

// AppendRawBytes appends a length-delimited field also where it is empty: an
// element of a repeated field, or a message whose presence matters.
func AppendRawBytes(b []byte, field int, v []byte) []byte {
	b = AppendVarint(AppendTag(b, field, Bytes), uint64(len(v)))
	return append(b, v...)
}

// AppendMessage appends a message field whose body f appends. The body is
// written in place and moved only if its length needs more than one byte.
func AppendMessage(b []byte, field int, f func([]byte) []byte) []byte {
	b = AppendTag(b, field, Bytes)
	start := len(b)
	b = append(b, 0)
	b = f(b)
	return patchLength(b, start)
}

// patchLength writes the length of b[start+1:] into the byte at start, moving
// the body up where the length takes more than that byte.
func patchLength(b []byte, start int) []byte {
	n := uint64(len(b) - start - 1) //nolint:gosec // start is within b
	extra := SizeVarint(n) - 1
	for range extra {
		b = append(b, 0)
	}
	if extra > 0 {
		copy(b[start+1+extra:], b[start+1:len(b)-extra])
	}
	AppendVarint(b[:start], n)
	return b
}

// SizeVarint is the number of bytes that AppendVarint writes for v.
func SizeVarint(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

// AppendRawFixed64 appends the eight bytes of v without a tag: an element of a
// packed field.
func AppendRawFixed64(b []byte, v uint64) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56)) //nolint:gosec // byte by byte
}
