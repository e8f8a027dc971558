package meter

import "slices"

// instr is one instruction. Its immediate says which fields are used.
type instr struct {
	op      uint16
	imm     immediate
	lane    byte
	a, b    uint32 // indexes; alignment and offset
	value   int64  // a constant; a block's type
	bytes   []byte // floats and vectors as they are
	targets []uint32
}

// decoder reads instructions, and refuses indexes that the module does not have.
type decoder struct {
	m      *module
	c      *cursor
	locals int // of the function, parameters among them
	labels int // that are open

	targets []uint32 // is used again by each br_table
}

// next reads an instruction.
func (d *decoder) next() instr {
	c := d.c
	at := c.at
	first := c.byte()
	in := instr{op: uint16(first)}
	var s *shape
	switch first {
	case prefixMisc, prefixVector:
		sub := c.u32()
		if sub > 0xff || first == prefixVector && c.at-at != 2+int(sub>>7) {
			c.fail(at, "instruction 0x%02x %d is not known here", first, sub)
			return in
		}
		in.op = uint16(first)<<8 | uint16(sub)
		if s = &vector[sub]; first == prefixMisc {
			s = &misc[sub]
		}
	default:
		s = &plain[first]
	}
	if c.err != nil {
		return in
	}
	if s.imm == immUnknown {
		c.fail(at, "instruction 0x%02x is not known here%s", in.op, proposal(in.op))
		return in
	}
	in.imm = s.imm
	d.immediate(&in, s.most)
	return in
}

// proposal names what people ask for most.
func proposal(op uint16) string {
	switch {
	case op == 0x12 || op == 0x13:
		return ": it is a tail call"
	case op == 0xfe:
		return ": it is of threads"
	case op >= 0x06 && op <= 0x0a || op == 0x18 || op == 0x19 || op == 0x1f:
		return ": it is of exceptions"
	}
	return ""
}

func (d *decoder) immediate(in *instr, most byte) {
	m, c := d.m, d.c
	switch in.imm {
	case immBlock:
		in.value = d.blockType()
	case immLabel:
		in.a = c.index("label", d.labels)
	case immLabels:
		d.brTable(in)
	case immFunction:
		in.a = c.index("function", len(m.functionTypes))
	case immTypeTable:
		in.a, in.b = c.index("type", len(m.types)), c.index("table", len(m.tableTypes))
	case immLocal:
		in.a = c.index("local", d.locals)
	case immGlobal:
		in.a = c.index("global", len(m.globalTypes))
	case immTable:
		in.a = c.index("table", len(m.tableTypes))
	case immTables:
		in.a, in.b = c.index("table", len(m.tableTypes)), c.index("table", len(m.tableTypes))
	case immDataMemory:
		in.a = d.dataIndex()
		d.memory()
	case immData:
		in.a = d.dataIndex()
	case immElemTable:
		in.a, in.b = c.index("element segment", len(m.elems)), c.index("table", len(m.tableTypes))
	case immElem:
		in.a = c.index("element segment", len(m.elems))
	case immMemory:
		d.memory()
	case immMemories:
		d.memory()
		d.memory()
	default:
		d.operand(in, most)
	}
}

// operand reads an immediate that is no index. most is the shape's.
func (d *decoder) operand(in *instr, most byte) {
	c := d.c
	switch in.imm {
	case immAccess, immAccessLane:
		at := c.at
		in.a, in.b = c.u32(), c.u32()
		if in.a > uint32(most) {
			c.fail(at, "alignment 2**%d is above 2**%d, which is natural here", in.a, most)
		}
		if d.m.memoryCount == 0 {
			c.fail(at, "memory 0 is out of range: there are 0")
		}
		if in.imm == immAccessLane {
			d.lane(in, 16>>most)
		}
	case immI32:
		in.value = c.signed(32)
	case immI64:
		in.value = c.signed(64)
	case immBytes4:
		in.bytes = c.take(4)
	case immBytes8:
		in.bytes = c.take(8)
	case immBytes16:
		at := c.at
		in.bytes = c.take(16)
		if in.op == opV128Shuffle && c.err == nil && slices.Max(in.bytes) >= 32 {
			c.fail(at, "lane %d is out of range: there are 32", slices.Max(in.bytes))
		}
	case immLane:
		d.lane(in, most)
	case immTypes:
		at := c.at
		if n := c.byte(); n != 1 {
			c.fail(at, "select has %d types, not one", n)
		}
		in.value = int64(c.valueType())
	case immRefType:
		in.value = int64(c.refType())
	default: // there is nothing else to read
	}
}

// lane reads the index of a lane.
func (d *decoder) lane(in *instr, lanes byte) {
	at := d.c.at
	if in.lane = d.c.byte(); in.lane >= lanes {
		d.c.fail(at, "lane %d is out of range: there are %d", in.lane, lanes)
	}
}

// memory reads the index of a memory, which is one byte, and zero.
func (d *decoder) memory() {
	at := d.c.at
	i := d.c.byte()
	if d.c.err == nil && int(i) >= min(1, d.m.memoryCount) {
		d.c.fail(at, "memory %d is out of range: there are %d", i, d.m.memoryCount)
	}
}

// dataIndex reads the index of a data segment. The segments follow the code, so
// that their number must have been announced.
func (d *decoder) dataIndex() uint32 {
	if d.m.dataCount == nil {
		d.c.fail(d.c.at, "data segments are used, and their number is not announced")
		return 0
	}
	return d.c.index("data segment", int(*d.m.dataCount))
}

// noResult is the type of a block without parameters and results.
const noResult = 0x40

// blockType reads a block's type: an index, or a result's type as a negative
// number.
func (d *decoder) blockType() int64 {
	c := d.c
	at := c.at
	v := c.signed(33)
	if v >= 0 {
		if c.err == nil && v >= int64(len(d.m.types)) {
			c.fail(at, "type %d is out of range: there are %d", v, len(d.m.types))
		}
		return v
	}
	switch t := valueType(v & 0x7f); {
	case v < -0x40:
		c.fail(at, "block type %d is not known here", v)
	case t == noResult, t == i32, t == i64, t == f32, t == f64, t == v128, t == funcref, t == externref:
	default:
		c.fail(at, "block type 0x%02x is not known here", byte(t))
	}
	return v
}

func (d *decoder) brTable(in *instr) {
	n := d.c.count("targets of a br_table", d.m.limits.BranchTargets)
	d.targets = d.targets[:0]
	for range n + 1 { // the last is the default
		if d.c.err != nil {
			return
		}
		d.targets = append(d.targets, d.c.index("label", d.labels))
	}
	in.targets = d.targets
}

// blockFuncType is the type that a block's immediate stands for.
func (m *module) blockFuncType(v int64) funcType {
	switch {
	case v >= 0:
		return m.types[v]
	case v&0x7f == noResult:
		return funcType{}
	}
	return funcType{results: []valueType{valueType(v & 0x7f)}}
}
