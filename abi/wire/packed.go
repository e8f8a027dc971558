package wire

// Packed walks the elements of a packed repeated field.
//
//	for p := r.Packed(); p.More(); {
//		numbers = append(numbers, p.Varint())
//	}
//
// A malformed element stops both the walk and the Reader that it came from.
type Packed struct {
	parent *Reader
	r      Reader
}

// Packed starts a walk over the elements of the current field.
func (r *Reader) Packed() Packed { return Packed{parent: r, r: NewReader(r.Bytes())} }

// More reports whether there is another element.
func (p *Packed) More() bool { return p.parent.err == nil && p.r.pos < len(p.r.b) }

// Varint reads a varint element.
func (p *Packed) Varint() uint64 {
	v, ok := p.r.varint()
	if !ok {
		p.parent.err = p.r.err
	}
	return v
}

// Fixed64 reads a fixed64 or double element.
func (p *Packed) Fixed64() uint64 {
	if !p.r.fixed(8) {
		p.parent.err = p.r.err
		return 0
	}
	return p.r.num
}
