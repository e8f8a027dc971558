package meter

// This file follows control: where basic blocks begin, and which costs may be
// charged together.
//
// Costs are charged ahead: whatever follows is charged at the start of the basic
// block that it is in, so a guest pays before it runs. What follows a whole
// construct counts for the same basic block as what precedes it if control cannot
// leave the construct other than at its end, since both run equally often.

// fold charges small basic blocks together with what always runs before them, as
// if each branch ran both ways: charging them apart costs more than they do. A
// guest pays for what it does not run, by foldOnce at a time, and by less than it
// pays for what it runs and foldOnce.
func (w *walk) fold() {
	for i := len(w.charges) - 1; i > 0; i-- {
		c := &w.charges[i]
		if c.under < 0 || c.cost > foldOnce {
			continue
		}
		u := &w.charges[c.under]
		if own := u.cost - u.folded; u.folded+c.cost <= own+foldOnce {
			u.cost += c.cost
			u.folded += c.cost
			c.cost = 0
		}
	}
}

// enter opens a block.
func (w *walk) enter(in *instr) {
	t := w.m.blockFuncType(in.value)
	w.vectors = w.vectors || t.vectors()
	w.c.limit(in.at(w), "nested blocks", w.m.limits.Nesting, uint64(len(w.open)))
	w.pop(len(t.params))
	w.open = append(w.open, block{op: in.op, typ: t, height: w.height, live: w.live, out: len(w.open), charge: w.charge})
	w.push(len(t.params))
	w.write(in)
	if !w.live {
		return
	}
	switch in.op {
	case opLoop:
		w.begin(-1)
	case opIf:
		w.begin(w.charge)
	}
}

// at is about where the instruction is that was read last.
func (in *instr) at(w *walk) int { return max(0, w.c.at-1) }

// otherwise is the else of an if.
func (w *walk) otherwise(in *instr) {
	b := &w.open[len(w.open)-1]
	if b.op != opIf || b.hasElse {
		w.c.fail(in.at(w), "else is not in an if")
		return
	}
	b.hasElse, b.elseLive = true, w.live
	w.write(in)
	w.height, w.live = b.height, b.live
	w.push(len(b.typ.params))
	if w.live {
		w.begin(b.charge)
	}
}

// end closes a block.
func (w *walk) end(in *instr) {
	last := len(w.open) - 1
	b := w.open[last]
	w.open = w.open[:last]
	w.write(in)
	if last == 0 {
		return
	}
	parent := &w.open[last-1]
	parent.out = min(parent.out, b.out)
	w.height = b.height
	w.push(len(b.typ.results))
	branches := b.op == opIf || b.op == opBlock && b.targeted // other ways than from above lead here
	w.live = w.live || b.elseLive || b.op == opIf && !b.hasElse && b.live || b.op == opBlock && b.targeted || b.op == opIf && b.targeted
	switch {
	case !b.live:
		w.live = false
	case b.out >= last:
		w.charge = b.charge // both run equally often
	case branches && w.live:
		w.begin(b.charge)
	}
}

// leave is a branch, a return or unreachable.
func (w *walk) leave(in *instr) {
	switch in.op {
	case opBr, opBrIf:
		w.branch(in.a)
	case opBrTable:
		for _, t := range in.targets {
			w.branch(t)
		}
	case opReturn:
		w.branch(uint32(len(w.open) - 1)) //nolint:gosec // limited
	}
	w.write(in)
	if in.op == opBrIf {
		if w.live {
			w.begin(w.charge)
		}
		return
	}
	w.live = false
	w.height = w.open[len(w.open)-1].height
}

// branch notes a branch to a label.
func (w *walk) branch(label uint32) {
	if !w.live {
		return
	}
	last := len(w.open) - 1
	to := last - int(label)
	w.open[to].targeted = true
	b := &w.open[last]
	b.out = min(b.out, to)
}
