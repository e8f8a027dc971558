package meter

import (
	"fmt"
	"slices"
	"strings"
)

// The names of the metering's own. A module that uses one of them, or an export
// whose name begins with ImportModule, is refused.
const (
	// ImportModule and ImportRefill name the function that a metered module
	// imports and its embedder offers: (left i64) -> (fuel i64).
	ImportModule = "loopdock_meter"
	ImportRefill = "refill"
	// ExportFuel names the global that holds the fuel that is left, a mutable i64.
	ExportFuel = "loopdock_meter_fuel"
	// ExportStack names the global that holds the bytes of native stack that are
	// left, a mutable i64.
	ExportStack = "loopdock_meter_stack"
)

// Config says how a module is metered. Zeros mean the defaults.
type Config struct {
	// Fuel is what an instance begins with. Default 1,000,000, about a
	// millisecond.
	Fuel int64
	// StackBytes is the native stack that calls may take. Default 1 MiB.
	StackBytes int64
}

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

// Info is what an embedder may want to know of a metered module.
type Info struct {
	// Functions and Instructions are how many the module has, without what
	// metering adds.
	Functions, Instructions uint64
	// Charges is in how many places fuel is charged, and Framed how many functions
	// charge their frame.
	Charges, Framed uint64
	// Helpers is how many functions were added.
	Helpers uint64
	// FuelGlobal, StackGlobal and RefillFunction are indexes in the metered module.
	FuelGlobal, StackGlobal, RefillFunction uint32
	// Dropped are custom sections that speak of places in the code, and were left
	// out.
	Dropped []string
}

// rewriter makes the metered module.
type rewriter struct {
	m      *Module
	cfg    Config
	types  []funcType
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

// Rewrite gives the module with metering added. The bytes are the same each time.
// The error is a *ReservedError, or says what is wrong with the configuration.
func (m *Module) Rewrite(cfg Config) ([]byte, *Info, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	if err := m.checkReserved(); err != nil {
		return nil, nil, err
	}
	r := &rewriter{
		m: m, cfg: cfg, types: slices.Clone(m.types), byKey: map[helperKey]uint32{},
		refill: uint32(m.imported()),           //nolint:gosec // limited, as below
		fuel:   uint32(len(m.globalTypes)),     //nolint:gosec // as above
		stack:  uint32(len(m.globalTypes)) + 1, //nolint:gosec // as above
	}
	r.typeIndex(refillType)
	r.slow = r.addHelper(helper{name: "slow", code: r.slowCode()})
	for i := range m.bodies {
		if err := r.body(i); err != nil {
			return nil, nil, err
		}
	}
	r.info.Functions, r.info.Helpers = uint64(len(m.functions)), uint64(len(r.helpers))
	r.info.FuelGlobal, r.info.StackGlobal, r.info.RefillFunction = r.fuel, r.stack, r.refill
	wasm := r.encode()
	return wasm, &r.info, nil
}

// checkReserved refuses modules that could reach what metering adds.
func (m *Module) checkReserved() error {
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
	i := slices.IndexFunc(r.types, t.equal)
	if i < 0 {
		i = len(r.types)
		r.types = append(r.types, t)
	}
	return uint32(i) //nolint:gosec // limited
}

// instr writes an instruction of the module's.
func (r *rewriter) instr(w *walk, in *instr) {
	switch in.op {
	case opCall, opRefFunc:
		in.a = r.function(in.a)
	case opReturn:
		if r.wrapped {
			// The block that wraps the function has the label that the function had.
			r.code = appendU32(append(r.code, opBr), uint32(len(w.open)-1)) //nolint:gosec // limited
			return
		}
	case opMemoryGrow, opMemoryInit, opMemoryCopy, opMemoryFill, opTableInit, opTableCopy, opTableGrow, opTableFill:
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
	frame := int64(0)
	if r.wrapped {
		frame = int64(b.frame.bytes) //nolint:gosec // limited
		r.info.Framed++
	}
	out = r.appendEntry(out, frame, w.charges[0].cost)
	if r.wrapped {
		out = r.appendWrap(out, t.results)
	}
	from := 0
	for _, c := range w.charges[1:] {
		if c.cost > 0 {
			out = append(out, r.code[from:c.at]...)
			out = r.appendCharge(out, c.cost)
			from = c.at
		}
	}
	out = append(out, r.code[from:]...)
	if r.wrapped {
		out = append(r.appendStack(out, frame, opI64Add), opEnd)
	}
	r.bodies = append(r.bodies, out)
	return nil
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
