package meter

// This file reads function bodies.

func (m *Module) readBodies(s *cursor) {
	n := s.count("function bodies", m.limits.Functions)
	if s.err == nil && int(n) != len(m.functions) {
		s.fail(s.at, "there are %d functions and %d bodies", len(m.functions), n)
	}
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

// readBody reads one body. all counts the locals of the module.
func (m *Module) readBody(c *cursor, t funcType, all *uint64) {
	var b body
	locals := uint64(0)
	for range c.count("declarations of locals", m.limits.Locals) {
		at := c.at
		run := localRun{n: c.u32()}
		run.typ = c.valueType()
		locals += uint64(run.n)
		*all += uint64(run.n)
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

// vectorsAmong says whether a local is a vector.
func vectorsAmong(locals []localRun) bool {
	for _, r := range locals {
		if r.typ == v128 && r.n > 0 {
			return true
		}
	}
	return false
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
