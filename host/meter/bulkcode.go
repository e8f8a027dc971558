package meter

// asm writes the code of bulk helpers.
type asm struct {
	r *rewriter
	b []byte
}

// span64 is how long a memory, a table or a segment is: what an instruction gives,
// shifted, or a fixed number.
type span64 struct {
	op    []byte
	shift int64
	fixed int64
}

func (a *asm) op(b ...byte)       { a.b = append(a.b, b...) }
func (a *asm) get(local uint32)   { a.b = appendU32(append(a.b, opLocalGet), local) }
func (a *asm) set(local uint32)   { a.b = appendU32(append(a.b, opLocalSet), local) }
func (a *asm) i32(v int64)        { a.b = appendSigned(append(a.b, opI32Const), v) }
func (a *asm) i64(v int64)        { a.b = appendSigned(append(a.b, opI64Const), v) }
func (a *asm) branch(op, to byte) { a.op(op, to) }
func (a *asm) wide(local uint32)  { a.get(local); a.op(opI64ExtendU) }
func (a *asm) begin(op byte)      { a.op(op, noResult) }
func (a *asm) length(s span64) {
	if s.op == nil {
		a.i64(s.fixed)
		return
	}
	a.op(s.op...)
	a.op(opI64ExtendU)
	if s.shift > 0 {
		a.i64(s.shift)
		a.op(opI64Shl)
	}
}

// pay charges the units that cost leaves on the stack.
func (a *asm) pay(cost func()) {
	a.b = appendGlobal(a.b, opGlobalGet, a.r.fuel)
	cost()
	a.op(opI64Sub)
	a.b = appendGlobal(a.b, opGlobalSet, a.r.fuel)
	a.b = a.r.appendTest(appendGlobal(a.b, opGlobalGet, a.r.fuel))
}

// add changes a local by n.
func (a *asm) add(local uint32, op byte, n int64) {
	a.get(local)
	a.i32(n)
	a.op(op)
	a.set(local)
}

// moving is an instruction with the operands to, from or value, and length.
type moving struct {
	chunk, shift int64 // of the length, a unit costs 2 to the power of shift
	to, from     span64
	fill         bool // the second operand is a value
	overlaps     bool // it may have to go backwards
}

// The parameters of what moves.
const (
	to, from, length = 0, 1, 2
)

// move writes:
//
//	block whole
//	  block long
//	    br_if long (length > chunk)
//	    charge length
//	    br whole
//	  end
//	  br_if whole (out of range)
//	  loop (charge chunk; do chunk; br_if loop (length > chunk)) end
//	  charge length
//	end
//	do what is left
func (a *asm) move(own []byte, m moving) {
	a.begin(opBlock)
	a.begin(opBlock)
	a.longer(m)
	a.branch(opBrIf, 0)
	a.payLength(m)
	a.branch(opBr, 1)
	a.op(opEnd)
	a.outside(to, m.to)
	if !m.fill {
		a.outside(from, m.from)
	}
	if m.overlaps {
		a.get(to)
		a.get(from)
		a.op(opI32GtU)
		a.begin(opIf)
		a.chunks(own, m, true)
		a.op(opElse)
		a.chunks(own, m, false)
		a.op(opEnd)
	} else {
		a.chunks(own, m, false)
	}
	a.payLength(m)
	a.op(opEnd)
	a.get(to)
	a.get(from)
	a.get(length)
	a.op(own...)
}

// longer says whether more than a chunk is left.
func (a *asm) longer(m moving) {
	a.get(length)
	a.i32(m.chunk)
	a.op(opI32GtU)
}

// outside leaves the block if the range that begins at a local is out of range.
func (a *asm) outside(local uint32, s span64) {
	a.wide(local)
	a.wide(length)
	a.op(opI64Add)
	a.length(s)
	a.op(opI64GtU)
	a.branch(opBrIf, 0)
}

func (a *asm) payLength(m moving) {
	a.pay(func() {
		a.wide(length)
		if m.shift > 0 {
			a.i64(m.shift)
			a.op(opI64ShrU)
		}
	})
}

// chunks does all but the last chunk: from the start, or from the end, where the
// ranges overlap so that the start would be overwritten before it is read.
func (a *asm) chunks(own []byte, m moving, backwards bool) {
	a.begin(opLoop)
	a.pay(func() { a.i64(m.chunk >> m.shift) })
	if backwards {
		a.add(length, opI32Sub, m.chunk)
		for _, local := range []uint32{to, from} {
			a.get(local)
			a.get(length)
			a.op(opI32Add)
		}
		a.i32(m.chunk)
		a.op(own...)
	} else {
		a.get(to)
		a.get(from)
		a.i32(m.chunk)
		a.op(own...)
		a.add(to, opI32Add, m.chunk)
		if !m.fill {
			a.add(from, opI32Add, m.chunk)
		}
		a.add(length, opI32Sub, m.chunk)
	}
	a.longer(m)
	a.branch(opBrIf, 0)
	a.op(opEnd)
}

// growing is memory.grow or table.grow.
type growing struct {
	params uint32 // the last is by how much it grows
	size   span64
	most   int64 // beyond which it does not grow
	unit   int64 // what each of its elements costs
	copies bool  // what there is moves
}

// grow charges, unless the instruction will refuse and do nothing. It is not
// split: half a growth would be seen. A million elements take less than a
// millisecond, and memory is the allocator's concern.
func (a *asm) grow(own []byte, g growing) {
	by := g.params - 1
	a.begin(opBlock)
	a.wide(by)
	a.length(g.size)
	a.op(opI64Add)
	a.i64(g.most)
	a.op(opI64GtU)
	a.branch(opBrIf, 0)
	a.pay(func() {
		a.wide(by)
		a.i64(g.unit)
		a.op(opI64Mul)
		if g.copies {
			a.length(g.size)
			a.i64(3)
			a.op(opI64ShrU, opI64Add)
		}
	})
	a.op(opEnd)
	for i := range g.params {
		a.get(i)
	}
	a.op(own...)
}
