package wire

// Find returns the value of the last length-delimited field with that number,
// and whether there is one. A malformed message, and a field of another wire
// type, is the same as an absent one: views over objects use it, and these
// were checked as they arrived. The result is a view.
func Find(b []byte, field int) ([]byte, bool) {
	_, v, ok := find(b, uint64(field)<<3|uint64(Bytes)) //nolint:gosec // field numbers are positive
	return v, ok
}

// FindUint returns the value of the last varint field with that number, and
// whether there is one.
func FindUint(b []byte, field int) (uint64, bool) {
	v, _, ok := find(b, uint64(field)<<3|uint64(Varint)) //nolint:gosec // field numbers are positive
	return v, ok
}

// find does what a Reader would, without keeping a Reader's state: every field
// that a view reads walks all fields beside it.
func find(b []byte, want uint64) (num uint64, body []byte, found bool) {
	var tag, n uint64
	for i := 0; i < len(b); {
		if tag = uint64(b[i]); tag < 0x80 { // nearly always
			i++
		} else if tag, i = varintAt(b, i); i < 0 {
			return num, body, found
		}
		if tag < 8 || tag>>3 > MaxField {
			return num, body, found
		}
		switch Type(tag & 7) {
		case Varint, Bytes:
			if i < len(b) && b[i] < 0x80 {
				n = uint64(b[i])
				i++
			} else if n, i = varintAt(b, i); i < 0 {
				return num, body, found
			}
			if Type(tag&7) == Varint {
				if tag == want {
					num, found = n, true
				}
				continue
			}
			if n > uint64(len(b)-i) { //nolint:gosec // i stays within b
				return num, body, found
			}
			end := i + int(n) //nolint:gosec // bounded by the length of b
			if tag == want {
				body, found = b[i:end:end], true
			}
			i = end
		case Fixed64:
			i += 8
		case Fixed32:
			i += 4
		default:
			return num, body, found
		}
	}
	return num, body, found
}

// varintAt reads the varint at i and returns where it ends, negative if it is
// malformed.
func varintAt(b []byte, i int) (uint64, int) {
	var v uint64
	for shift := uint(0); shift < 64 && i < len(b); shift += 7 {
		c := b[i]
		i++
		if shift == 63 && c > 1 {
			break
		}
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, i
		}
	}
	return 0, -1
}

// Valid reports whether b is a sequence of well-formed fields; nil if it is.
func Valid(b []byte) error {
	r := NewReader(b)
	for r.Next() {
	}
	return r.Err()
}
