package meter

// valueType is the type of a value, as the binary format numbers it.
type valueType byte

const (
	i32       valueType = 0x7f
	i64       valueType = 0x7e
	f32       valueType = 0x7d
	f64       valueType = 0x7c
	v128      valueType = 0x7b
	funcref   valueType = 0x70
	externref valueType = 0x6f
)

// funcType is the type of a function or a block.
type funcType struct{ params, results []valueType }

// key is the same for equal types.
func (t funcType) key() string { return string(t.params) + ":" + string(t.results) }

// size is the limits of a table or a memory.
type size struct {
	min, max uint32
	capped   bool // there is a maximum
}

type tableType struct {
	elem valueType
	size size
}

type globalType struct {
	typ     valueType
	mutable bool
}

// The kinds of imports and exports.
const (
	kindFunction = iota
	kindTable
	kindMemory
	kindGlobal
)

// importEntry is one import; only the field of its kind is used.
type importEntry struct {
	module, name string
	kind         byte
	function     uint32 // its type
	table        tableType
	memory       size
	global       globalType
}

// constExpr is a constant expression: one instruction and its end.
type constExpr struct{ instr instr }

// constant is a constant expression of an element segment, of which there may be
// many.
type constant struct {
	op    uint16
	typ   valueType // of a null
	index uint32
}

func (e constExpr) element() constant {
	return constant{e.instr.op, valueType(e.instr.value), e.instr.a} //nolint:gosec // a type, where it is used
}

// expr is the constant expression that it was made of.
func (k constant) expr() constExpr {
	return constExpr{instr{op: k.op, imm: shapeOf(k.op).imm, a: k.index, value: int64(k.typ)}}
}

type globalEntry struct {
	typ  globalType
	init constExpr
}

type exportEntry struct {
	name  string
	kind  byte
	index uint32
}

// elemSegment is an element segment. Its flags say which fields are used.
type elemSegment struct {
	flags     uint32
	table     uint32
	offset    constExpr
	typ       valueType
	functions []uint32
	exprs     []constant
}

// The bits of an element segment's flags.
const (
	elemNotActive = 1 << iota
	elemExplicit  // a table's index if active, else declarative
	elemExprs
)

// dataSegment is a data segment: active, passive, or active with an index, by
// its flags 0, 1 and 2.
type dataSegment struct {
	flags  uint32
	offset constExpr
	bytes  []byte
}

// localRun is so many locals of one type.
type localRun struct {
	n   uint32
	typ valueType
}

// body is the code of a function.
type body struct {
	locals []localRun
	code   cursor // the instructions, with the end
	frame  frame
}

// custom is a custom section that follows the section of the given rank.
type custom struct {
	rank int
	name string
	data []byte
}

// module is a module that was read. It keeps views into the bytes that it was read
// from, which are not changed.
type module struct {
	limits    Limits
	size      int
	types     []funcType
	imports   []importEntry
	functions []uint32 // types of the module's own
	tables    []tableType
	memories  []size
	globals   []globalEntry
	exports   []exportEntry
	start     *uint32
	elems     []elemSegment
	dataCount *uint32
	bodies    []body
	datas     []dataSegment
	customs   []custom
	names     *nameSection
	declared  []bool   // functions that code may take a reference to
	charges   []charge // room for those of the function that is walked

	// The index spaces: what is imported, then the module's own.
	functionTypes []uint32
	tableTypes    []tableType
	globalTypes   []globalType
	memoryCount   int
}

// imported is how many functions are imported.
func (m *module) imported() int { return len(m.functionTypes) - len(m.functions) }

// importedGlobals is how many globals are imported.
func (m *module) importedGlobals() int { return len(m.globalTypes) - len(m.globals) }

// addImport enters an import into the index spaces.
func (m *module) addImport(e importEntry) {
	m.imports = append(m.imports, e)
	switch e.kind {
	case kindFunction:
		m.functionTypes = append(m.functionTypes, e.function)
	case kindTable:
		m.tableTypes = append(m.tableTypes, e.table)
	case kindMemory:
		m.memoryCount++
	case kindGlobal:
		m.globalTypes = append(m.globalTypes, e.global)
	}
}
