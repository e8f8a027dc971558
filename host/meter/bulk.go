package meter

// This file writes the functions that stand in for bulk instructions: each charges
// by length before it runs, and does at most a chunk between two charges.
//
// An instruction that would trap must write nothing, so the whole range is checked
// first. One that is out of range is run whole: it traps as it always did, and
// costs nothing.

// helper is a function that metering adds.
type helper struct {
	name string
	typ  funcType
	code []byte // with its end; it has no locals but its parameters
}

// helperKey is the instruction that a helper stands in for.
type helperKey struct {
	op   uint16
	a, b uint32
}

// helperIndex is the index of the i-th helper: they follow the module's own
// functions.
func (r *rewriter) helperIndex(i int) uint32 {
	return uint32(len(r.m.functionTypes) + 1 + i) //nolint:gosec // limited
}

func (r *rewriter) addHelper(h helper) uint32 {
	r.typeIndex(h.typ)
	r.helpers = append(r.helpers, h)
	return r.helperIndex(len(r.helpers) - 1)
}

// bulk gives the function that stands in for an instruction.
func (r *rewriter) bulk(in *instr) uint32 {
	k := helperKey{in.op, in.a, in.b}
	if i, ok := r.byKey[k]; ok {
		return i
	}
	a := &asm{r: r}
	h := helper{typ: funcType{params: []valueType{i32, i32, i32}}}
	own := appendInstr(nil, in)
	memory, table := span64{op: []byte{opMemorySize, 0}, shift: 16}, func(i uint32) span64 {
		return span64{op: appendU32(appendOp(nil, opTableSize), i)}
	}
	switch in.op {
	case opMemoryFill:
		h.name = "memory_fill"
		a.move(own, moving{chunk: chunkBytes, shift: bytesShift, to: memory, fill: true})
	case opMemoryCopy:
		h.name = "memory_copy"
		a.move(own, moving{chunk: chunkBytes, shift: bytesShift, to: memory, from: memory, overlaps: true})
	case opMemoryInit:
		h.name = "memory_init"
		a.move(own, moving{chunk: chunkBytes, shift: bytesShift, to: memory, from: span64{fixed: r.m.dataBytes(in.a)}})
	case opTableFill:
		h.name, h.typ.params[1] = "table_fill", r.m.tableTypes[in.a].elem
		a.move(own, moving{chunk: chunkElements, to: table(in.a), fill: true})
	case opTableCopy:
		h.name = "table_copy"
		a.move(own, moving{chunk: chunkElements, to: table(in.a), from: table(in.b), overlaps: true})
	case opTableInit:
		h.name = "table_init"
		n := int64(r.m.elems[in.a].elements())
		a.move(own, moving{chunk: chunkElements, to: table(in.b), from: span64{fixed: n}})
	case opMemoryGrow:
		h.name, h.typ = "memory_grow", funcType{[]valueType{i32}, []valueType{i32}}
		a.grow(own, growing{params: 1, size: span64{op: memory.op}, most: r.m.mostPages(), unit: 1 << pageShift})
	case opTableGrow:
		elem := r.m.tableTypes[in.a].elem
		h.name, h.typ = "table_grow", funcType{[]valueType{elem, i32}, []valueType{i32}}
		a.grow(own, growing{params: 2, size: table(in.a), most: r.m.mostElements(in.a), unit: costGrownElement, copies: true})
	}
	a.op(opEnd)
	h.code = a.b
	i := r.addHelper(h)
	r.byKey[k] = i
	return i
}
