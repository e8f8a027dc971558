package meter

import "slices"

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
	w.c.limit(w.at, "nested blocks", w.m.limits.Nesting, uint64(len(w.open)))
	w.popAll(t.params)
	w.open = append(w.open, block{op: in.op, typ: t, height: len(w.stack), live: w.live, out: len(w.open), charge: w.charge})
	w.push(t.params...)
	w.write(in)
	w.leaves = w.leaves || in.op == opLoop
	if in.op == opLoop {
		w.spills.loop()
	}
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

// close checks what a block, or the first half of an if, leaves.
func (w *walk) close(b *block) {
	w.popAll(b.typ.results)
	if n := len(w.stack) - b.height; n > 0 {
		w.fail("%d operands are left over at the end of a block", n)
	}
	w.stack = w.stack[:b.height]
}

// otherwise is the else of an if.
func (w *walk) otherwise(in *instr) {
	b := &w.open[len(w.open)-1]
	if b.op != opIf || b.hasElse {
		w.fail("else is not in an if")
		return
	}
	w.close(b)
	b.hasElse, b.elseLive, b.any = true, w.live, false
	w.write(in)
	w.live = b.live
	w.push(b.typ.params...)
	if w.live {
		w.begin(b.charge)
	}
}

// end closes a block.
func (w *walk) end(in *instr) {
	last := len(w.open) - 1
	b := w.open[last]
	w.close(&w.open[last])
	if b.op == opIf && !b.hasElse && !slices.Equal(b.typ.params, b.typ.results) {
		w.fail("an if without else leaves other types than it takes")
	}
	w.open = w.open[:last]
	w.write(in)
	if last == 0 {
		return
	}
	w.spills.merge()
	parent := &w.open[last-1]
	parent.out = min(parent.out, b.out)
	w.push(b.typ.results...)
	aside := b.op == opIf && (!b.hasElse && b.live || b.elseLive) // past then, or from the end of then
	w.live = b.live && (w.live || aside || b.op != opLoop && b.targeted)
	switch {
	case !b.live:
	case b.out >= last:
		w.charge = b.charge // both run equally often
	case w.live && (b.op == opIf || b.op == opBlock && b.targeted):
		w.begin(b.charge) // other ways than from above lead here
	}
}

// leave is a branch, a return or unreachable.
func (w *walk) leave(in *instr) {
	switch in.op {
	case opBr:
		w.popAll(w.branch(in.a).label())
	case opBrIf:
		types := w.branch(in.a).label()
		w.popAll(types)
		w.push(types...)
	case opBrTable:
		w.branchTable(in)
	case opReturn:
		w.popAll(w.branch(uint32(len(w.open) - 1)).label()) //nolint:gosec // limited
	}
	w.write(in)
	if in.op == opBrIf {
		if w.live {
			w.begin(w.charge)
		}
		return
	}
	w.live = false
	b := &w.open[len(w.open)-1]
	b.any, w.stack = true, w.stack[:min(b.height, len(w.stack))]
}

// branchTable checks each label once, however often the table has it.
func (w *walk) branchTable(in *instr) {
	types := w.branch(in.targets[len(in.targets)-1]).label()
	for _, t := range in.targets {
		b := w.branch(t)
		if b.seen == w.count {
			continue
		}
		b.seen = w.count
		if len(b.label()) != len(types) {
			w.fail("targets of a br_table take %d and %d operands", len(types), len(b.label()))
		}
		keep := len(w.stack)
		w.popAll(b.label())
		w.stack = w.stack[:keep]
		if w.c.err != nil {
			return
		}
	}
	w.popAll(types)
}

// branch notes a branch to a label, and gives its block.
func (w *walk) branch(label uint32) *block {
	last := len(w.open) - 1
	to := last - int(label)
	if w.live {
		w.open[to].targeted = true
		w.open[last].out = min(w.open[last].out, to)
	}
	return &w.open[to]
}
