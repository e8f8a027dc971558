package meter

import (
	"fmt"
	"slices"
	"strings"
)

func (c Config) withDefaults() (Config, error) {
	if c.Fuel < 0 || c.StackBytes < 0 {
		return c, fmt.Errorf("cannot meter with %d units of fuel and %d bytes of stack: a number is negative", c.Fuel, c.StackBytes)
	}
	if c.Fuel == 0 {
		c.Fuel = 1_000_000
	}
	if c.StackBytes == 0 {
		c.StackBytes = 1 << 20
	}
	return c, nil
}

// rewriter makes the metered module.
type rewriter struct {
	m      *module
	cfg    Config
	types  []funcType
	byType map[string]uint32
	refill uint32 // its index
	slow   uint32
	fuel   uint32
	stack  uint32

	helpers []helper
	byKey   map[helperKey]uint32

	wrapped bool   // the function that is being written charges its frame
	code    []byte // its instructions, without charges
	bodies  [][]byte
	info    Info
}

func newRewriter(m *module, cfg Config) *rewriter {
	r := &rewriter{
		m: m, cfg: cfg, types: slices.Clone(m.types), byType: map[string]uint32{}, byKey: map[helperKey]uint32{},
		refill: uint32(m.imported()),           //nolint:gosec // limited, as below
		fuel:   uint32(len(m.globalTypes)),     //nolint:gosec // as above
		stack:  uint32(len(m.globalTypes)) + 1, //nolint:gosec // as above
	}
	for i, t := range m.types {
		if _, ok := r.byType[t.key()]; !ok {
			r.byType[t.key()] = uint32(i)
		}
	}
	r.typeIndex(refillType)
	r.slow = r.addHelper(helper{name: "slow", code: r.slowCode()})
	return r
}

// rewrite writes all functions.
func (r *rewriter) rewrite() error {
	for i := range r.m.bodies {
		if err := r.body(i); err != nil {
			return err
		}
	}
	r.referAll()
	if n, most := uint64(len(r.helpers)), r.m.limits.Helpers; n > uint64(most) {
		return &LimitError{Offset: r.m.size, Limit: helpersLimit, Value: uint64(most), Asked: n}
	}
	r.info.Functions, r.info.Helpers = uint64(len(r.m.functions)), uint64(len(r.helpers))
	return nil
}

const helpersLimit = "functions added for bulk instructions and imports"

// checkReserved refuses modules that could reach what metering adds.
func (m *module) checkReserved() error {
	for _, e := range m.exports {
		if strings.HasPrefix(e.name, ImportModule) {
			return &ReservedError{Kind: "export", Name: e.name}
		}
	}
	for _, e := range m.imports {
		if e.module == ImportModule {
			return &ReservedError{Kind: "import module", Name: e.module}
		}
	}
	return nil
}

// function is the new index of a function: the import that was added comes before
// the module's own.
func (r *rewriter) function(i uint32) uint32 {
	if i >= r.refill {
		return i + 1
	}
	return i
}

// typeIndex finds or adds a type.
func (r *rewriter) typeIndex(t funcType) uint32 {
	i, ok := r.byType[t.key()]
	if !ok {
		i = uint32(len(r.types)) //nolint:gosec // limited
		r.types, r.byType[t.key()] = append(r.types, t), i
	}
	return i
}

// instr writes an instruction of the module's.
func (r *rewriter) instr(w *walk, in *instr) {
	switch in.op {
	case opCall:
		in.a = r.function(in.a)
	case opRefFunc:
		in.a = r.reference(in.a)
	case opReturn:
		if r.wrapped {
			// The block that wraps the function has the label that the function had.
			r.code = appendU32(append(r.code, opBr), uint32(len(w.open)-1)) //nolint:gosec // limited
			return
		}
	case opMemoryGrow, opMemoryInit, opMemoryCopy, opMemoryFill, opTableInit, opTableCopy, opTableGrow, opTableFill:
		if len(r.helpers) > int(r.m.limits.Helpers) {
			w.c.limit(w.at, helpersLimit, r.m.limits.Helpers, uint64(len(r.helpers)))
			return
		}
		r.code = appendU32(append(r.code, opCall), r.bulk(in))
		return
	}
	r.code = appendInstr(r.code, in)
}

// body writes one function.
func (r *rewriter) body(i int) error {
	b, t := &r.m.bodies[i], r.m.types[r.m.functions[i]]
	r.wrapped, r.code = b.frame.charged(), r.code[:0]
	w := newWalk(r.m, b.code, t, b.locals)
	w.out = r
	if w.run(); w.c.err != nil {
		return w.c.err // it was read before without one
	}
	w.fold()
	r.info.Instructions += w.count
	out := appendU32(nil, uint32(len(b.locals))) //nolint:gosec // limited
	for _, l := range b.locals {
		out = append(appendU32(out, l.n), byte(l.typ))
	}
	r.bodies = append(r.bodies, r.charge(w, out, b.frame, t.results))
	return nil
}

// charge writes the function that was walked, with its charges.
func (r *rewriter) charge(w *walk, out []byte, f frame, results []valueType) []byte {
	frame := int64(0)
	if r.wrapped {
		frame = int64(f.bytes) //nolint:gosec // limited
		r.info.Framed++
	}
	first := w.charges[0].cost
	unchecked := first // what may have been charged since it was checked
	if check := w.leaves || w.cost() > smallLeaf; frame > 0 || check {
		out, unchecked = r.appendEntry(out, frame, first), 0
	} else if first > 0 {
		out = r.appendFuel(out, first)
	}
	if r.wrapped {
		out = r.appendWrap(out, results)
	}
	from := 0
	for _, c := range w.charges[1:] {
		if c.cost == 0 {
			continue
		}
		out = append(out, r.code[from:c.at]...)
		from = c.at
		if unchecked += c.cost; c.under < 0 || unchecked > maxUnchecked {
			out, unchecked = r.appendCharge(out, c.cost), 0
		} else {
			out = r.appendFuel(out, c.cost)
		}
	}
	out = append(out, r.code[from:]...)
	if r.wrapped {
		out = append(r.appendStack(out, frame, opI64Add), opEnd)
	}
	return out
}

// appendWrap begins the block that wraps a function, so that it has one exit.
func (r *rewriter) appendWrap(b []byte, results []valueType) []byte {
	b = append(b, opBlock)
	switch len(results) {
	case 0:
		return append(b, noResult)
	case 1:
		return append(b, byte(results[0]))
	}
	return appendSigned(b, int64(r.typeIndex(funcType{results: results})))
}
