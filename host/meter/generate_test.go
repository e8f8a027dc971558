package meter

import "slices"

// generator makes valid modules out of choices: functions of every control
// construct, most instructions, and calls, which end because each loop and each
// function counts down.
type generator struct {
	choices []byte
	b       []byte
	labels  [][]valueType
	depth   int
}

// The module's functions are (i32, i64) -> (i64), with locals of each type; its
// globals are the countdown and one of each type.
var (
	generatedType   = funcType{[]valueType{i32, i64}, []valueType{i64}}
	generatedLocals = []valueType{i32, i64, i32, i64, f32, f64, v128, funcref}
	numbers         = []valueType{i32, i64, f32, f64, v128}
	byResult        = opcodesByResult()
)

const generatedFunctions = 4

// opcodesByResult are those that only compute.
func opcodesByResult() map[valueType][]uint16 {
	out := map[valueType][]uint16{}
	for _, op := range opcodes() {
		if s := shapeOf(op); s.imm == immNone && len(s.out) == 1 && len(s.in) > 0 && !slices.Contains(s.in, funcref) {
			out[s.out[0]] = append(out[s.out[0]], op)
		}
	}
	return out
}

// choose gives a number below n; zero when the choices have run out, so that zero
// must lead to an end.
func (g *generator) choose(n int) int {
	if len(g.choices) == 0 {
		return 0
	}
	c := int(g.choices[0])
	g.choices = g.choices[1:]
	return c % n
}

func (g *generator) emit(b ...byte) { g.b = append(g.b, b...) }

func (g *generator) op(op uint16, operands ...func()) {
	for _, o := range operands {
		o()
	}
	g.b = appendOp(g.b, op)
}

func (g *generator) i32() { g.expr(i32) }

// near leaves an i32 that is mostly small.
func (g *generator) near(mask int64) func() {
	return func() {
		g.expr(i32)
		if g.choose(8) != 7 {
			g.b = append(appendSigned(append(g.b, opI32Const), mask), 0x71)
		}
	}
}

func (g *generator) constant(t valueType) {
	in := instr{value: int64(g.choose(256)) - 100, bytes: slices.Repeat([]byte{byte(g.choose(256))}, 16)}
	if g.choose(3) == 2 {
		in.value <<= 20
	}
	switch t {
	case i32:
		in.op, in.imm = opI32Const, immI32
	case i64:
		in.op, in.imm = opI64Const, immI64
	case f32:
		in.op, in.imm, in.bytes = opF32Const, immBytes4, in.bytes[:4]
	case f64:
		in.op, in.imm, in.bytes = opF64Const, immBytes8, in.bytes[:8]
	case v128:
		in.op, in.imm = opV128Const, immBytes16
	default:
		in = instr{op: opRefFunc, imm: immFunction, a: uint32(g.choose(generatedFunctions + 1))}
	}
	g.b = appendInstr(g.b, &in)
}

func (g *generator) local(t valueType) byte {
	first := slices.Index(generatedLocals, t)
	if t == i32 || t == i64 {
		first += 2 * g.choose(2)
	}
	return byte(first)
}

// inside writes what is in a block with a label that takes types.
func (g *generator) inside(label []valueType, write func()) {
	g.labels = append(g.labels, label)
	write()
	g.labels = g.labels[:len(g.labels)-1]
}

// expr leaves a value of a type.
func (g *generator) expr(t valueType) {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 12 || t == funcref {
		g.constant(t)
		return
	}
	switch g.choose(12) {
	default:
		g.constant(t)
	case 1, 2:
		g.emit(opLocalGet, g.local(t))
	case 3, 4, 5:
		op := byResult[t][g.choose(len(byResult[t]))]
		for _, in := range shapeOf(op).in {
			g.expr(in)
		}
		g.op(op)
	case 6:
		g.i32()
		g.emit(opIf, byte(t))
		g.inside([]valueType{t}, func() { g.statements(2); g.expr(t); g.emit(opElse); g.statements(1); g.expr(t) })
		g.emit(opEnd)
	case 7:
		g.emit(opBlock, byte(t))
		g.inside([]valueType{t}, func() {
			g.statements(2)
			g.expr(t)
			g.i32()
			g.emit(opBrIf, 0)
			g.statements(1)
		})
		g.emit(opEnd)
	case 8:
		g.op(opSelectTyped, func() { g.expr(t) }, func() { g.expr(t) }, g.i32)
		g.emit(1, byte(t))
	case 9:
		g.special(t)
	case 10: // a block with parameters
		g.expr(t)
		g.emit(opBlock)
		g.b = appendSigned(g.b, int64(2+slices.Index(numbers, t)))
		g.inside([]valueType{t}, func() { g.statements(2) })
		g.emit(opEnd)
	case 11:
		g.emit(opLocalGet, g.local(t))
		g.statements(1)
	}
}

// special leaves a value by calls, memory and tables.
func (g *generator) special(t valueType) {
	loads := map[valueType]uint16{i32: 0x28, i64: 0x29, f32: 0x2a, f64: 0x2b, v128: prefixVector << 8}
	switch kind := g.choose(4); {
	case t == i64 && kind == 1:
		g.op(opCall, g.i32, func() { g.expr(i64) })
		g.emit(byte(g.choose(generatedFunctions + 1)))
	case t == i64 && kind == 2:
		g.op(opCallIndirect, g.i32, func() { g.expr(i64) }, g.near(7))
		g.emit(0, 0)
	case t == i32 && kind == 1:
		g.op(opMemoryGrow, g.near(1))
		g.emit(0)
	case t == i32 && kind == 2:
		g.op(opTableGrow, func() { g.expr(funcref) }, g.near(15))
		g.emit(0)
	case t == i32 && kind == 3:
		g.op(opTableSize)
		g.emit(0)
	default:
		g.op(loads[t], g.near(0x1ffff))
		g.emit(0, 8)
	}
}

func (g *generator) statements(n int) {
	for range g.choose(n + 1) {
		g.statement()
	}
}

func (g *generator) statement() {
	g.depth++
	defer func() { g.depth-- }()
	if g.depth > 12 {
		return
	}
	t := numbers[g.choose(len(numbers))]
	switch g.choose(12) {
	default:
		g.expr(t)
		g.emit(opLocalSet, g.local(t))
	case 2:
		g.expr(t)
		g.emit(opGlobalSet, byte(1+slices.Index(numbers, t)))
	case 3:
		stores := map[valueType]uint16{i32: 0x36, i64: 0x37, f32: 0x38, f64: 0x39, v128: prefixVector<<8 | 0x0b}
		g.op(stores[t], g.near(0x1ffff), func() { g.expr(t) })
		g.emit(0, 8)
	case 4:
		g.i32()
		g.emit(opIf, noResult)
		g.inside(nil, func() {
			g.statements(3)
			if g.choose(2) == 1 {
				g.emit(opElse)
				g.statements(3)
			}
		})
		g.emit(opEnd)
	case 5, 6:
		g.emit(opLoop, noResult)
		g.inside(nil, func() {
			g.countdown()
			g.statements(3)
			g.i32()
			g.emit(opBrIf, 0)
			g.statements(2)
		})
		g.emit(opEnd)
	case 7:
		g.emit(opBlock, noResult)
		g.inside(nil, func() { g.statements(4) })
		g.emit(opEnd)
	case 8, 9:
		g.bulk()
	case 10:
		g.leave()
	}
}

// countdown ends the function when there is nothing left to count.
func (g *generator) countdown() {
	g.emit(opGlobalGet, 0, opI32Const, 1, opI32Sub, opGlobalSet, 0)
	g.emit(opGlobalGet, 0, opI32Eqz, opIf, noResult, opUnreachable, opEnd)
}

func (g *generator) bulk() {
	to, length := g.near(0x1ffff), g.near(0x3ffff)
	table, few := g.near(63), g.near(31)
	switch g.choose(9) {
	case 0:
		g.op(opMemoryFill, to, g.i32, length)
		g.emit(0)
	case 1:
		g.op(opMemoryCopy, to, to, length)
		g.emit(0, 0)
	case 2:
		g.op(opMemoryInit, to, few, few)
		g.emit(0, 0)
	case 3:
		g.op(opTableFill, table, func() { g.expr(funcref) }, few)
		g.emit(0)
	case 4:
		g.op(opTableCopy, table, table, few)
		g.emit(0, 0)
	case 5:
		g.op(opTableInit, table, few, g.near(3))
		g.emit(1, 0)
	case 6:
		g.op(opDataDrop)
		g.emit(0)
	case 7:
		g.op(opElemDrop)
		g.emit(1)
	case 8:
		g.op(opTableSet, table, func() { g.expr(funcref) })
		g.emit(0)
	}
}

// leave goes elsewhere, and what follows is not reached. Loops are not gone to:
// only what counts down goes back.
func (g *generator) leave() {
	to := len(g.labels) - 1 - g.choose(len(g.labels))
	depth := byte(len(g.labels) - 1 - to)
	types := g.labels[to]
	switch g.choose(4) {
	case 0:
		g.values(types)
		g.emit(opBr, depth)
	case 1:
		g.values(types)
		g.i32()
		g.emit(opBrTable, 2, depth, depth, depth)
	case 2:
		g.values(generatedType.results)
		g.emit(opReturn)
	case 3:
		g.emit(opUnreachable)
	}
}

func (g *generator) values(types []valueType) {
	for _, t := range types {
		g.expr(t)
	}
}

// generate makes a module with the exports f (a function), memory and the globals.
func generate(choices []byte) []byte {
	g := &generator{choices: choices}
	types := [][]byte{appendType(nil, generatedType), signature(nil, nil)}
	globals := [][]byte{{byte(i32), 1, opI32Const, 0xc8, 1, opEnd}}
	exports := [][]byte{append(name("f"), kindFunction, 1), append(name("memory"), kindMemory, 0)}
	for i, t := range numbers {
		types = append(types, signature([]valueType{t}, []valueType{t}))
		globals = append(globals, append(append([]byte{byte(t), 1}, constants[i]...), opEnd))
		if t != v128 {
			exports = append(exports, append(name(t.String()), kindGlobal, byte(1+i)))
		}
	}
	var bodies [][]byte
	for i := range generatedFunctions {
		g.b = []byte{6}
		for _, t := range generatedLocals[2:] {
			g.emit(1, byte(t))
		}
		g.countdown()
		share := len(g.choices)
		if i < generatedFunctions-1 {
			share /= 2
		}
		rest := g.choices[share:]
		g.choices = g.choices[:share]
		g.inside(generatedType.results, func() {
			for len(g.choices) > 0 {
				g.statement()
			}
			g.expr(i64)
		})
		g.choices = rest
		bodies = append(bodies, appendBytes(nil, append(g.b, opEnd)))
	}
	return assembled(
		section(sectionType, list(types...)),
		section(sectionImport, list(append(append(name("m"), name("host")...), kindFunction, 0))),
		section(sectionFunction, repeat(generatedFunctions, 0)),
		section(sectionTable, list([]byte{byte(funcref), 1, 40, 60})),
		section(sectionMemory, list([]byte{1, 2, 5})),
		section(sectionGlobal, list(globals...)), section(sectionExport, list(exports...)),
		section(sectionElement, list([]byte{0, opI32Const, 0, opEnd, 5, 0, 1, 2, 3, 4}, []byte{1, 0, 3, 2, 0, 4})),
		section(sectionDataCount, []byte{1}), section(sectionCode, list(bodies...)),
		section(sectionData, list(append([]byte{1}, name("abcdefghijklmnopqrstuvwxyz")...))))
}
