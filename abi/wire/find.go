package wire

// Find returns the value of the last length-delimited field with that number,
// and whether there is one. A malformed message, and a field of another wire
// type, is the same as an absent one: views over objects use it, and these
// were checked as they arrived. The result is a view.
func Find(b []byte, field int) ([]byte, bool) {
	var v []byte
	found := false
	for r := NewReader(b); r.Next(); {
		if r.field == field && r.typ == Bytes {
			v, found = r.body, true
		}
	}
	return v, found
}

// FindUint returns the value of the last varint field with that number, and
// whether there is one.
func FindUint(b []byte, field int) (uint64, bool) {
	var v uint64
	found := false
	for r := NewReader(b); r.Next(); {
		if r.field == field && r.typ == Varint {
			v, found = r.num, true
		}
	}
	return v, found
}

// Valid reports whether b is a sequence of well-formed fields; nil if it is.
func Valid(b []byte) error {
	r := NewReader(b)
	for r.Next() { //nolint:revive // walking is checking
	}
	return r.Err()
}
