package meter

// walk goes through a function's instructions once. It knows how high the operand
// stack is, which blocks are open, and what is charged where. A rewriter, if
// there is one, writes what is walked.
type walk struct {
	m    *Module
	c    cursor
	d    decoder
	typ  funcType
	open []block
	live bool // the place can be reached

	height, most int
	locals       int
	vectors      bool // vectors are among the values
	calls        bool

	charges []charge
	charge  int // the one that instructions count for
	count   uint64

	out *rewriter // nil only reads
}

// block is an open block; the outermost is the function.
type block struct {
	op       uint16
	typ      funcType
	height   int // of the stack below its parameters
	live     bool
	elseLive bool // the end of then can be reached, of an if that came to its else
	hasElse  bool
	targeted bool
	// out is the outermost block that a branch from within goes to, by its place
	// in open. Below the block's own, control may leave it other than at its end.
	out    int
	charge int // where what preceded the block counted
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

func newWalk(m *Module, c cursor, t funcType, locals []localRun) *walk {
	w := &walk{m: m, c: c, typ: t, live: true, locals: len(t.params), vectors: t.vectors() || vectorsAmong(locals)}
	for _, r := range locals {
		w.locals += int(r.n)
	}
	w.d = decoder{m: m, c: &w.c, locals: w.locals}
	w.open = append(w.open, block{op: opBlock, typ: funcType{results: t.results}, live: true})
	w.charges = append(w.charges, charge{under: -1})
	return w
}

// frame is what the function that was walked takes of the native stack.
func (w *walk) frame() frame {
	slot := slotBytes
	if w.vectors {
		slot = vectorBytes
	}
	return frame{bytes: uint64(frameFixed + slot*(w.locals+w.most)), calls: w.calls} //nolint:gosec // both are limited
}

// run walks to the end of the function.
func (w *walk) run() {
	for len(w.open) > 0 && w.c.err == nil {
		w.d.labels = len(w.open)
		in := w.d.next()
		if w.c.err != nil {
			return
		}
		w.step(&in)
	}
}

func (w *walk) step(in *instr) {
	w.pay(w.m.cost(in))
	s := shapeOf(in.op)
	switch in.op {
	case opElse, opEnd:
	default:
		w.pop(int(s.pop))
	}
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
		w.called(in, w.m.types[in.a])
		w.calls = true
	default:
		if in.op>>8 == prefixVector || in.op == opGlobalGet && w.m.globalTypes[in.a].typ == v128 {
			w.vectors = true
		}
		w.push(int(s.push))
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

// pop takes operands. Where nothing can be reached, the stack gives as many as
// are asked for.
func (w *walk) pop(n int) {
	bottom := w.open[len(w.open)-1].height
	w.height = max(w.height-n, bottom)
}

func (w *walk) push(n int) {
	w.height += n
	if w.height > w.most {
		w.most = w.height
		w.c.limit(w.c.at, "operands at once", w.m.limits.OperandStack, uint64(w.most)) //nolint:gosec // never negative
	}
}

func (w *walk) called(in *instr, t funcType) {
	w.vectors = w.vectors || t.vectors()
	w.pop(len(t.params))
	w.push(len(t.results))
	w.write(in)
}

func (w *walk) write(in *instr) {
	if w.out != nil && w.c.err == nil {
		w.out.instr(w, in)
	}
}
