package meter

// This file reads function bodies.

func (m *module) readBodies(s *cursor) {
	n := s.count("function bodies", m.limits.Functions)
	if s.err == nil && int(n) != len(m.functions) {
		s.fail(s.at, "there are %d functions and %d bodies", len(m.functions), n)
	}
	m.declare()
	all := uint64(0)
	for i := range n {
		if s.err != nil {
			return
		}
		at := s.at
		length := s.u32()
		s.limit(at, "bytes of a function", m.limits.BodyBytes, uint64(length))
		c := s.sub(length)
		if s.err == nil {
			m.readBody(&c, m.types[m.functions[i]], &all)
			s.err = c.err
		}
	}
}

// declare notes the functions that segments, globals and exports name: only of
// those may code take a reference.
func (m *module) declare() {
	m.declared = make([]bool, len(m.functionTypes))
	note := func(e constant) {
		if e.op == opRefFunc {
			m.declared[e.index] = true
		}
	}
	for _, g := range m.globals {
		note(g.init.element())
	}
	for _, e := range m.exports {
		if e.kind == kindFunction {
			m.declared[e.index] = true
		}
	}
	for _, s := range m.elems {
		for _, f := range s.functions {
			m.declared[f] = true
		}
		for _, e := range s.exprs {
			note(e)
		}
	}
}

// readBody reads one body. all counts the locals of the module.
func (m *module) readBody(c *cursor, t funcType, all *uint64) {
	var b body
	locals := uint64(0)
	for range c.count("declarations of locals", m.limits.Locals) {
		at := c.at
		run := localRun{n: c.u32()}
		run.typ = c.valueType()
		locals += uint64(run.n)
		*all += uint64(run.n)
		if run.n == 0 {
			continue
		}
		c.limit(at, "locals of a function", m.limits.Locals, locals)
		if !c.limit(at, "locals of all functions", m.limits.AllLocals, *all) {
			return
		}
		b.locals = append(b.locals, run)
	}
	b.code = *c
	w := newWalk(m, *c, t, b.locals)
	w.run()
	c.at, c.err = w.c.at, w.c.err
	b.frame = w.frame()
	if c.finish("function") == nil {
		m.bodies = append(m.bodies, b)
	}
}

// frame is what a function takes of the native stack.
type frame struct {
	bytes uint64
	calls bool // it calls functions of the module's own
}

// What a frame is charged: a fixed part for the return address and what is saved
// across calls, and a slot for each parameter, local and operand.
const (
	frameFixed  = 80
	slotBytes   = 8
	vectorBytes = 16
	// leafBytes is the largest frame of a function that calls nothing and is not
	// charged: there is one of them at a time.
	leafBytes = 1024
)

// charged says whether a function charges its frame.
func (f frame) charged() bool { return f.calls || f.bytes > leafBytes }
