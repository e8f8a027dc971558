package meter

// This file sees to it that the host's functions cost the same however a guest
// comes to call them. A direct call is charged where it stands. What else a
// function may be called by (a table, a reference, an export) gets a function that
// charges and calls it.

// reference is the new index of a function where it is not called but named.
func (r *rewriter) reference(i uint32) uint32 {
	if int(i) >= r.m.imported() {
		return r.function(i)
	}
	k := helperKey{op: opCall, a: i}
	if helper, ok := r.byKey[k]; ok {
		return helper
	}
	t := r.m.types[r.m.functionTypes[i]]
	a := &asm{r: r, b: r.appendCharge(nil, costLeave)}
	for p := range t.params {
		a.get(uint32(p))
	}
	a.b = append(appendU32(append(a.b, opCall), i), opEnd)
	r.byKey[k] = r.addHelper(helper{name: "call", typ: t, code: a.b})
	return r.byKey[k]
}

// referAll makes what the sections other than code refer to, before they are
// written.
func (r *rewriter) referAll() {
	for _, e := range r.m.exports {
		if e.kind == kindFunction {
			r.reference(e.index)
		}
	}
	for _, g := range r.m.globals {
		if g.init.instr.op == opRefFunc {
			r.reference(g.init.instr.a)
		}
	}
	for _, s := range r.m.elems {
		for _, f := range s.functions {
			r.reference(f)
		}
		for _, e := range s.exprs {
			if e.op == opRefFunc {
				r.reference(e.index)
			}
		}
	}
}
