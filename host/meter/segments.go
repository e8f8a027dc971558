package meter

// This file reads element and data segments, and constant expressions.

// constExpr reads a constant expression of a type. Without extended constants, it
// is one instruction.
func (m *module) constExpr(s *cursor, want valueType) constExpr {
	at := s.at
	d := decoder{m: m, c: s}
	in := d.next()
	got := unknown
	switch in.op {
	case opI32Const, opI64Const, opF32Const, opF64Const, opV128Const, opRefFunc:
		got = shapeOf(in.op).out[0]
	case opRefNull:
		got = valueType(in.value) //nolint:gosec // a type
	case opGlobalGet:
		if s.err != nil {
			break
		}
		g := m.globalTypes[in.a]
		if got = g.typ; g.mutable || int(in.a) >= m.importedGlobals() {
			s.fail(at, "global %d is no constant: it must be imported, and not change", in.a)
		}
	default:
		s.fail(at, "instruction 0x%02x is no constant", in.op)
	}
	if got != want {
		s.fail(at, "a constant of %v is %v", want, got)
	}
	end := s.at
	if b := s.byte(); b != opEnd {
		s.fail(end, "a constant expression is longer than one instruction")
	}
	return constExpr{in}
}

func (m *module) readElements(s *cursor) {
	left := m.limits.Elements
	for range s.count("element segments", m.limits.Segments) {
		e := m.readElement(s, left)
		if s.err != nil {
			return
		}
		left -= uint32(e.elements()) //nolint:gosec // no more than are left
		m.elems = append(m.elems, e)
	}
}

// readElement reads a segment of at most so many elements.
func (m *module) readElement(s *cursor, left uint32) elemSegment {
	at := s.at
	e := elemSegment{flags: s.u32(), typ: funcref}
	if e.flags > 7 {
		s.fail(at, "element segment flags %d are not known here", e.flags)
		return e
	}
	if e.flags&elemNotActive == 0 {
		if e.flags&elemExplicit != 0 {
			e.table = s.index("table", len(m.tableTypes))
		} else if len(m.tableTypes) == 0 {
			s.fail(at, "table 0 is out of range: there are 0")
		}
		e.offset = m.constExpr(s, i32)
	}
	if e.flags&(elemNotActive|elemExplicit) != 0 {
		if e.flags&elemExprs != 0 {
			e.typ = s.refType()
		} else if kind := s.byte(); kind != 0 {
			s.fail(s.at-1, "element kind 0x%02x is not known here", kind)
		}
	}
	if e.flags&elemNotActive == 0 && s.err == nil {
		if t := m.tableTypes[e.table].elem; t != e.typ {
			s.fail(at, "a segment of %v is for a table of %v", e.typ, t)
		}
	}
	at = s.at
	n := s.count("elements", m.limits.ModuleBytes)
	s.limit(at, "elements of all segments", m.limits.Elements, uint64(m.limits.Elements-left)+uint64(n))
	for range n {
		if s.err != nil {
			break
		}
		if e.flags&elemExprs != 0 {
			e.exprs = append(e.exprs, m.constExpr(s, e.typ).element())
		} else {
			e.functions = append(e.functions, s.index("function", len(m.functionTypes)))
		}
	}
	return e
}

// elements is how many elements a segment has.
func (e *elemSegment) elements() int { return len(e.functions) + len(e.exprs) }

func (m *module) readDatas(s *cursor) {
	for range s.count("data segments", m.limits.Segments) {
		at := s.at
		d := dataSegment{flags: s.u32()}
		switch d.flags {
		case 1:
		case 2:
			s.index("memory", m.memoryCount)
			d.offset = m.constExpr(s, i32)
		case 0:
			if m.memoryCount == 0 {
				s.fail(at, "memory 0 is out of range: there are 0")
			}
			d.offset = m.constExpr(s, i32)
		default:
			s.fail(at, "data segment flags %d are not known here", d.flags)
		}
		d.bytes = s.take(s.u32())
		if s.err != nil {
			return
		}
		m.datas = append(m.datas, d)
	}
}
