package meter

// spills estimates how many values a function keeps on the native stack. The
// compiler gives each value that it has to put there, because a call or too many
// others come between its making and its use, a place of its own, which it does
// not use again for another: many short lives take as much as many long ones.
type spills struct {
	n      int // places
	area   int // what the largest call passes
	kept   int // operands, from the bottom, that have a place
	now    uint64
	called uint64 // when a call or a loop was last
	merged uint64 // when ways last came together
	locals []localUse
}

// localUse is what spills knows of a local.
type localUse struct {
	used   uint64 // when it was last set or read
	placed uint64 // when it was last given a place, or zero if it was set since
}

// registers is how many values may be made before one that is not used has to
// give way, rather too few than too many.
const registers = 8

// popped notes that so many operands are left.
func (s *spills) popped(height int) { s.kept = min(s.kept, height) }

// pushed notes a value that was made, above so many operands.
func (s *spills) pushed(height int) {
	s.now++
	if height > registers && height > s.kept {
		s.n++
		s.kept = height
	}
}

// call notes a call above so many operands, which passes so many values.
func (s *spills) call(height, passes int) {
	s.n += max(0, height-s.kept)
	s.kept = max(s.kept, height)
	s.area = max(s.area, passes)
	s.now++
	s.called = s.now
}

// loop notes that all that comes may have come after a call.
func (s *spills) loop() {
	s.now++
	s.called, s.merged = s.now, s.now
}

func (s *spills) merge() {
	s.now++
	s.merged = s.now
}

func (s *spills) set(local uint32) {
	s.now++
	s.locals[local] = localUse{used: s.now}
}

func (s *spills) get(local uint32) {
	l := &s.locals[local]
	if (s.called > l.used || s.now-l.used > registers) && (l.placed == 0 || s.merged > l.placed) {
		s.n++
		l.placed = s.now + 1
	}
	l.used = s.now
}

// places is all that is kept on the stack, at most.
func (s *spills) places() int { return s.n + s.area }
