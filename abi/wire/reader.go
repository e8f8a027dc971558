package wire

// Reader walks the fields of one protobuf message.
//
//	r := wire.NewReader(b)
//	for r.Next() {
//		switch r.Field() {
//		case 1:
//			name = r.String()
//		}
//	}
//	return r.Err()
//
// # Notes
//
//   - A Reader is used by one goroutine. It never panics, whatever the bytes.
//   - Bytes returns a view into the message; String copies.
//   - A field that is not read is skipped, so unknown fields cost nothing.
//   - Reading a field by an accessor of another wire type stops the walk with
//     ErrMismatch.
type Reader struct {
	b     []byte // the whole message
	start int    // where the current field's tag starts
	pos   int    // where the next field starts
	field int
	typ   Type
	num   uint64 // the value of a Varint, Fixed32 or Fixed64 field
	body  []byte // the value of a Bytes field
	err   error
}

// NewReader starts a walk over the fields of b.
func NewReader(b []byte) Reader { return Reader{b: b} }

// Next moves to the next field. It is false at the end and after an error.
func (r *Reader) Next() bool {
	if r.err != nil || r.pos >= len(r.b) {
		return false
	}
	r.start = r.pos
	tag, ok := r.varint()
	if !ok {
		return false
	}
	if n := tag >> 3; n == 0 || n > MaxField {
		return r.fail(ErrField)
	}
	r.field = int(tag >> 3)
	r.typ = Type(tag & 7)
	switch r.typ {
	case Varint:
		r.num, ok = r.varint()
		return ok
	case Fixed64:
		return r.fixed(8)
	case Fixed32:
		return r.fixed(4)
	case Bytes:
		n, ok := r.varint()
		if !ok {
			return false
		}
		if n > uint64(len(r.b)-r.pos) { //nolint:gosec // pos stays within b
			return r.fail(ErrTruncated)
		}
		end := r.pos + int(n) //nolint:gosec // bounded by the length of b
		r.body = r.b[r.pos:end:end]
		r.pos = end
		return true
	}
	return r.fail(ErrType)
}

// Field is the number of the current field.
func (r *Reader) Field() int { return r.field }

// Type is the wire type of the current field.
func (r *Reader) Type() Type { return r.typ }

// Raw is the current field whole, tag included: a view.
func (r *Reader) Raw() []byte { return r.b[r.start:r.pos:r.pos] }

// Offset is where the current field starts in the message.
func (r *Reader) Offset() int { return r.start }

// Err is what stopped the walk, nil at a proper end.
func (r *Reader) Err() error { return r.err }

// Uint is the value of a varint field.
func (r *Reader) Uint() uint64 {
	if r.typ != Varint {
		r.fail(ErrMismatch)
		return 0
	}
	return r.num
}

// Int is the value of an int32 or int64 field.
func (r *Reader) Int() int64 { return int64(r.Uint()) } //nolint:gosec // two's complement

// Bool is the value of a bool field.
func (r *Reader) Bool() bool { return r.Uint() != 0 }

// Fixed is the value of a fixed32 or fixed64 field, as unsigned bits.
func (r *Reader) Fixed() uint64 {
	if r.typ != Fixed64 && r.typ != Fixed32 {
		r.fail(ErrMismatch)
		return 0
	}
	return r.num
}

// Bytes is the value of a length-delimited field: a view into the message.
func (r *Reader) Bytes() []byte {
	if r.typ != Bytes {
		r.fail(ErrMismatch)
		return nil
	}
	return r.body
}

// String is the value of a length-delimited field, copied.
func (r *Reader) String() string { return string(r.Bytes()) }

func (r *Reader) fail(err Error) bool {
	if r.err == nil {
		r.err = err
	}
	return false
}

func (r *Reader) varint() (uint64, bool) {
	var v uint64
	for shift := uint(0); shift < 64; shift += 7 {
		if r.pos >= len(r.b) {
			return 0, r.fail(ErrTruncated)
		}
		c := r.b[r.pos]
		r.pos++
		if shift == 63 && c > 1 {
			return 0, r.fail(ErrOverflow)
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, true
		}
	}
	return 0, r.fail(ErrOverflow)
}

func (r *Reader) fixed(n int) bool {
	if len(r.b)-r.pos < n {
		return r.fail(ErrTruncated)
	}
	r.num = 0
	for i := range n {
		r.num |= uint64(r.b[r.pos+i]) << (8 * i)
	}
	r.pos += n
	return true
}
