package meter

import "slices"

// walk goes through a function's instructions once. It checks their types, and
// knows which blocks are open, and what is charged where. A rewriter, if there is
// one, writes what is walked.
type walk struct {
	m    *module
	c    cursor
	d    decoder
	typ  funcType
	at   int // where the instruction is
	open []block
	live bool // the place can be reached

	locals  []valueType // parameters among them
	stack   []valueType
	most    int  // operands at once
	vectors bool // vectors are among the values
	calls   bool // functions of the module's own
	leaves  bool // it calls, or loops
	spills  spills
	count   uint64

	charges []charge
	charge  int // the one that instructions count for

	out *rewriter // nil only reads
}

// block is an open block; the outermost is the function.
type block struct {
	op       uint16
	typ      funcType
	height   int  // of the stack below its parameters
	any      bool // nothing more can be reached: operands are of any type
	live     bool
	elseLive bool // the end of then can be reached, of an if that came to its else
	hasElse  bool
	targeted bool
	// out is the outermost block that a branch from within goes to, by its place
	// in open. Below the block's own, control may leave it other than at its end.
	out    int
	charge int    // where what preceded the block counted
	seen   uint64 // the br_table that was seen to fit its label
}

// label is what a branch to the block takes.
func (b *block) label() []valueType {
	if b.op == opLoop {
		return b.typ.params
	}
	return b.typ.results
}

// charge is what one basic block costs, and where in the output that is charged.
type charge struct {
	at   int
	cost uint64
	// under is the charge that is always made before this one, and at least as
	// often, or -1.
	under  int
	folded uint64 // what the cost has of basic blocks that may not run
}

func newWalk(m *module, c cursor, t funcType, locals []localRun) *walk {
	w := &walk{m: m, c: c, typ: t, live: true}
	w.locals = append(w.locals, t.params...)
	for _, r := range locals {
		w.locals = append(w.locals, slices.Repeat([]valueType{r.typ}, int(r.n))...)
	}
	w.vectors = slices.Contains(w.locals, v128)
	w.spills.locals = make([]localUse, len(w.locals))
	w.d = decoder{m: m, c: &w.c, locals: len(w.locals)}
	w.open = append(w.open, block{op: opBlock, typ: funcType{results: t.results}, live: true})
	w.charges = m.charges[:0]
	w.charges = append(w.charges, charge{under: -1})
	return w
}

// frame is what the function that was walked takes of the native stack.
func (w *walk) frame() frame {
	slot := slotBytes
	if w.vectors {
		slot = vectorBytes
	}
	return frame{bytes: uint64(frameFixed + slot*(len(w.locals)+w.most+w.spills.places())), calls: w.calls} //nolint:gosec // both are limited
}

// run walks to the end of the function.
func (w *walk) run() {
	for len(w.open) > 0 && w.c.err == nil {
		w.d.labels = len(w.open)
		w.at = w.c.at
		in := w.d.next()
		if w.c.err != nil {
			return
		}
		w.step(&in)
	}
	w.m.charges = w.charges
}

// cost is what all basic blocks together cost.
func (w *walk) cost() (sum uint64) {
	for _, c := range w.charges {
		sum += c.cost
	}
	return sum
}

func (w *walk) step(in *instr) {
	w.pay(w.m.cost(in))
	s := shapeOf(in.op)
	w.popAll(s.in)
	switch in.op {
	case opBlock, opLoop, opIf:
		w.enter(in)
	case opElse:
		w.otherwise(in)
	case opEnd:
		w.end(in)
	case opBr, opBrIf, opBrTable, opReturn, opUnreachable:
		w.leave(in)
	case opCall:
		w.called(in, w.m.types[w.m.functionTypes[in.a]])
		w.calls = w.calls || int(in.a) >= w.m.imported()
	case opCallIndirect:
		if t := w.m.tableTypes[in.b].elem; t != funcref {
			w.fail("call_indirect by a table of %v", t)
		}
		w.called(in, w.m.types[in.a])
		w.calls = true
	default:
		w.operands(in)
		w.push(s.out...)
		w.write(in)
	}
}

// pay counts costs for the block that the walk is in.
func (w *walk) pay(cost uint64) {
	w.count++
	if !w.live || cost == 0 {
		return
	}
	if c := w.charges[w.charge].cost; c > 0 && c+cost > maxBlock {
		w.begin(-1)
	}
	w.charges[w.charge].cost += cost
}

// begin begins a basic block here, under a charge.
func (w *walk) begin(under int) {
	at := 0
	if w.out != nil {
		at = len(w.out.code)
	}
	w.charge = len(w.charges)
	w.charges = append(w.charges, charge{at: at, under: under})
}

func (w *walk) called(in *instr, t funcType) {
	w.leaves = true
	w.popAll(t.params)
	w.spills.call(len(w.stack), len(t.params)+len(t.results))
	w.push(t.results...)
	w.write(in)
}

func (w *walk) write(in *instr) {
	if w.out != nil && w.c.err == nil {
		w.out.instr(w, in)
	}
}
