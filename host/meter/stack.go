package meter

// This file checks types: what each instruction takes is what the operand stack
// holds, as WebAssembly's validation algorithm has it.

// unknown is the type of operands where nothing can be reached: any.
const unknown valueType = 0

var typeNames = map[valueType]string{
	i32: "i32", i64: "i64", f32: "f32", f64: "f64", v128: "v128", funcref: "funcref", externref: "externref", unknown: "any value",
}

func (t valueType) String() string { return typeNames[t] }

func (w *walk) fail(format string, args ...any) { w.c.fail(w.at, format, args...) }

// pop takes an operand of a type, and gives its type.
func (w *walk) pop(want valueType) valueType {
	b := &w.open[len(w.open)-1]
	last := len(w.stack) - 1
	if last < b.height {
		if !b.any {
			w.fail("%v is missing on the stack", want)
		}
		return want
	}
	got := w.stack[last]
	w.stack = w.stack[:last]
	w.spills.popped(last)
	switch {
	case got == unknown:
		return want
	case want != unknown && got != want:
		w.fail("there is %v on the stack, not %v", got, want)
	}
	return got
}

// popAll takes operands, the last on top.
func (w *walk) popAll(types []valueType) {
	from := len(w.stack) - len(types)
	if from >= w.open[len(w.open)-1].height && string(w.stack[from:]) == string(types) {
		w.stack = w.stack[:from]
		w.spills.popped(from)
		return
	}
	for i := len(types) - 1; i >= 0 && w.c.err == nil; i-- {
		w.pop(types[i])
	}
}

func (w *walk) push(types ...valueType) {
	for range types {
		w.stack = append(w.stack, unknown)
		w.spills.pushed(len(w.stack))
	}
	copy(w.stack[len(w.stack)-len(types):], types)
	if len(w.stack) > w.most {
		w.most = len(w.stack)
		w.c.limit(w.at, "operands at once", w.m.limits.OperandStack, uint64(w.most)) //nolint:gosec // never negative
		for _, t := range types {
			w.vectors = w.vectors || t == v128
		}
	}
}

// popReference takes an operand of any reference type.
func (w *walk) popReference() {
	if t := w.pop(unknown); !t.reference() && t != unknown {
		w.fail("there is %v on the stack, not a reference", t)
	}
}

func (t valueType) reference() bool { return t == funcref || t == externref }

// operands checks an instruction whose operands depend on more than its opcode.
// What its shape takes was taken.
func (w *walk) operands(in *instr) {
	switch in.op {
	case opDrop:
		w.pop(unknown)
	case opSelect:
		t := w.pop(w.pop(unknown))
		if t.reference() {
			w.fail("select without a type takes numbers and vectors, not %v", t)
		}
		w.push(t)
	case opSelectTyped:
		t := valueType(in.value) //nolint:gosec // a type
		w.pop(t)
		w.pop(t)
		w.push(t)
	case opLocalGet:
		w.spills.get(in.a)
		w.push(w.locals[in.a])
	case opLocalSet:
		w.spills.set(in.a)
		w.pop(w.locals[in.a])
	case opLocalTee:
		w.spills.set(in.a)
		w.pop(w.locals[in.a])
		w.push(w.locals[in.a])
	case opGlobalGet:
		w.push(w.m.globalTypes[in.a].typ)
	case opGlobalSet:
		g := w.m.globalTypes[in.a]
		if !g.mutable {
			w.fail("global %d is set, and does not change", in.a)
		}
		w.pop(g.typ)
	case opRefNull:
		w.push(valueType(in.value)) //nolint:gosec // a type
	case opRefIsNull:
		w.popReference()
		w.push(i32)
	case opRefFunc:
		if !w.m.declared[in.a] {
			w.fail("ref.func of function %d, which no segment, global or export declares", in.a)
		}
	default:
		w.tables(in)
	}
}

// tables checks an instruction on tables.
func (w *walk) tables(in *instr) {
	switch in.op {
	case opTableGet:
		w.pop(i32)
		w.push(w.m.tableTypes[in.a].elem)
	case opTableSet:
		w.pop(w.m.tableTypes[in.a].elem)
		w.pop(i32)
	case opTableGrow:
		w.pop(i32)
		w.pop(w.m.tableTypes[in.a].elem)
		w.push(i32)
	case opTableFill:
		w.pop(i32)
		w.pop(w.m.tableTypes[in.a].elem)
		w.pop(i32)
	case opTableCopy:
		if to, from := w.m.tableTypes[in.a].elem, w.m.tableTypes[in.b].elem; to != from {
			w.fail("table.copy from %v to %v", from, to)
		}
	case opTableInit:
		if to, from := w.m.tableTypes[in.b].elem, w.m.elems[in.a].typ; to != from {
			w.fail("table.init from %v to %v", from, to)
		}
	}
}
