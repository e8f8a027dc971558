package meter

// Opcodes: those with a prefix are the prefix, then the number after it.
const (
	opUnreachable  = 0x00
	opNop          = 0x01
	opBlock        = 0x02
	opLoop         = 0x03
	opIf           = 0x04
	opElse         = 0x05
	opEnd          = 0x0b
	opBr           = 0x0c
	opBrIf         = 0x0d
	opBrTable      = 0x0e
	opReturn       = 0x0f
	opCall         = 0x10
	opCallIndirect = 0x11
	opDrop         = 0x1a
	opSelect       = 0x1b
	opSelectTyped  = 0x1c
	opLocalGet     = 0x20
	opLocalSet     = 0x21
	opLocalTee     = 0x22
	opGlobalGet    = 0x23
	opGlobalSet    = 0x24
	opTableGet     = 0x25
	opTableSet     = 0x26
	opMemorySize   = 0x3f
	opMemoryGrow   = 0x40
	opI32Const     = 0x41
	opI64Const     = 0x42
	opF32Const     = 0x43
	opF64Const     = 0x44
	opI32Eqz       = 0x45
	opI32GtU       = 0x4b
	opI32LeU       = 0x4d
	opI64LtS       = 0x53
	opI64GtU       = 0x56
	opI32Add       = 0x6a
	opI32Sub       = 0x6b
	opI64Add       = 0x7c
	opI64Sub       = 0x7d
	opI64Mul       = 0x7e
	opI64Or        = 0x84
	opI64Shl       = 0x86
	opI64ShrU      = 0x88
	opI64ExtendU   = 0xad
	opRefNull      = 0xd0
	opRefIsNull    = 0xd1
	opRefFunc      = 0xd2

	prefixMisc   = 0xfc
	prefixVector = 0xfd

	opMemoryInit = prefixMisc<<8 | 8
	opDataDrop   = prefixMisc<<8 | 9
	opMemoryCopy = prefixMisc<<8 | 10
	opMemoryFill = prefixMisc<<8 | 11
	opTableInit  = prefixMisc<<8 | 12
	opElemDrop   = prefixMisc<<8 | 13
	opTableCopy  = prefixMisc<<8 | 14
	opTableGrow  = prefixMisc<<8 | 15
	opTableSize  = prefixMisc<<8 | 16
	opTableFill  = prefixMisc<<8 | 17

	opV128Const   = prefixVector<<8 | 12
	opV128Shuffle = prefixVector<<8 | 13
)

// immediate is what follows an opcode.
type immediate byte

const (
	immUnknown immediate = iota // the opcode is not known here
	immNone
	immBlock
	immLabel
	immLabels
	immFunction
	immTypeTable
	immLocal
	immGlobal
	immTable
	immTables
	immAccess // alignment and offset, of a memory
	immAccessLane
	immMemory
	immMemories
	immI32
	immI64
	immBytes4
	immBytes8
	immBytes16
	immLane
	immTypes
	immRefType
	immDataMemory
	immData
	immElemTable
	immElem
)

// shape is how an instruction is written, and what it takes from and leaves on
// the stack; what depends on a type is worked out by the walk.
type shape struct {
	imm       immediate
	pop, push int8
}

// span gives a shape to the opcodes from first to last.
type span struct {
	first, last byte
	shape       shape
}

func spread(spans []span) (out [256]shape) {
	for _, s := range spans {
		for op := int(s.first); op <= int(s.last); op++ {
			out[op] = s.shape
		}
	}
	return out
}

var (
	unary   = shape{immNone, 1, 1}
	binary  = shape{immNone, 2, 1}
	ternary = shape{immNone, 3, 1}
	load    = shape{immAccess, 1, 1}
	store   = shape{immAccess, 2, 0}
)

var plain = spread([]span{
	{opUnreachable, opNop, shape{immNone, 0, 0}},
	{opBlock, opLoop, shape{immBlock, 0, 0}}, {opIf, opIf, shape{immBlock, 1, 0}},
	{opElse, opElse, shape{immNone, 0, 0}}, {opEnd, opEnd, shape{immNone, 0, 0}},
	{opBr, opBr, shape{immLabel, 0, 0}}, {opBrIf, opBrIf, shape{immLabel, 1, 0}},
	{opBrTable, opBrTable, shape{immLabels, 1, 0}}, {opReturn, opReturn, shape{immNone, 0, 0}},
	{opCall, opCall, shape{immFunction, 0, 0}}, {opCallIndirect, opCallIndirect, shape{immTypeTable, 1, 0}},
	{opDrop, opDrop, shape{immNone, 1, 0}},
	{opSelect, opSelect, ternary}, {opSelectTyped, opSelectTyped, shape{immTypes, 3, 1}},
	{opLocalGet, opLocalGet, shape{immLocal, 0, 1}}, {opLocalSet, opLocalSet, shape{immLocal, 1, 0}},
	{opLocalTee, opLocalTee, shape{immLocal, 1, 1}},
	{opGlobalGet, opGlobalGet, shape{immGlobal, 0, 1}}, {opGlobalSet, opGlobalSet, shape{immGlobal, 1, 0}},
	{opTableGet, opTableGet, shape{immTable, 1, 1}}, {opTableSet, opTableSet, shape{immTable, 2, 0}},
	{0x28, 0x35, load}, {0x36, 0x3e, store},
	{opMemorySize, opMemorySize, shape{immMemory, 0, 1}}, {opMemoryGrow, opMemoryGrow, shape{immMemory, 1, 1}},
	{opI32Const, opI32Const, shape{immI32, 0, 1}}, {opI64Const, opI64Const, shape{immI64, 0, 1}},
	{opF32Const, opF32Const, shape{immBytes4, 0, 1}}, {opF64Const, opF64Const, shape{immBytes8, 0, 1}},
	{opI32Eqz, opI32Eqz, unary}, {0x46, 0x4f, binary}, {0x50, 0x50, unary}, {0x51, 0x66, binary},
	{0x67, 0x69, unary}, {0x6a, 0x78, binary}, {0x79, 0x7b, unary}, {0x7c, 0x8a, binary},
	{0x8b, 0x91, unary}, {0x92, 0x98, binary}, {0x99, 0x9f, unary}, {0xa0, 0xa6, binary},
	{0xa7, 0xc4, unary},
	{opRefNull, opRefNull, shape{immRefType, 0, 1}}, {opRefIsNull, opRefIsNull, unary},
	{opRefFunc, opRefFunc, shape{immFunction, 0, 1}},
})

var misc = spread([]span{
	{0, 7, unary},
	{8, 8, shape{immDataMemory, 3, 0}}, {9, 9, shape{immData, 0, 0}},
	{10, 10, shape{immMemories, 3, 0}}, {11, 11, shape{immMemory, 3, 0}},
	{12, 12, shape{immElemTable, 3, 0}}, {13, 13, shape{immElem, 0, 0}},
	{14, 14, shape{immTables, 3, 0}}, {15, 15, shape{immTable, 2, 1}},
	{16, 16, shape{immTable, 0, 1}}, {17, 17, shape{immTable, 3, 0}},
})

// vector has no entry for the numbers that WebAssembly 2.0 leaves free.
var vector = spread([]span{
	{0x00, 0x0a, load}, {0x0b, 0x0b, store},
	{0x0c, 0x0c, shape{immBytes16, 0, 1}}, {0x0d, 0x0d, shape{immBytes16, 2, 1}},
	{0x0e, 0x0e, binary}, {0x0f, 0x14, unary},
	{0x15, 0x16, shape{immLane, 1, 1}}, {0x17, 0x17, shape{immLane, 2, 1}},
	{0x18, 0x19, shape{immLane, 1, 1}}, {0x1a, 0x1a, shape{immLane, 2, 1}},
	{0x1b, 0x1b, shape{immLane, 1, 1}}, {0x1c, 0x1c, shape{immLane, 2, 1}},
	{0x1d, 0x1d, shape{immLane, 1, 1}}, {0x1e, 0x1e, shape{immLane, 2, 1}},
	{0x1f, 0x1f, shape{immLane, 1, 1}}, {0x20, 0x20, shape{immLane, 2, 1}},
	{0x21, 0x21, shape{immLane, 1, 1}}, {0x22, 0x22, shape{immLane, 2, 1}},
	{0x23, 0x4c, binary}, {0x4d, 0x4d, unary}, {0x4e, 0x51, binary}, {0x52, 0x52, ternary}, {0x53, 0x53, unary},
	{0x54, 0x57, shape{immAccessLane, 2, 1}}, {0x58, 0x5b, shape{immAccessLane, 2, 0}},
	{0x5c, 0x5d, load}, {0x5e, 0x64, unary}, {0x65, 0x66, binary}, {0x67, 0x6a, unary},
	{0x6b, 0x73, binary}, {0x74, 0x75, unary}, {0x76, 0x79, binary}, {0x7a, 0x7a, unary}, {0x7b, 0x7b, binary},
	{0x7c, 0x81, unary}, {0x82, 0x82, binary}, {0x83, 0x84, unary}, {0x85, 0x86, binary},
	{0x87, 0x8a, unary}, {0x8b, 0x93, binary}, {0x94, 0x94, unary}, {0x95, 0x99, binary}, {0x9b, 0x9f, binary},
	{0xa0, 0xa1, unary}, {0xa3, 0xa4, unary}, {0xa7, 0xaa, unary}, {0xab, 0xae, binary}, {0xb1, 0xb1, binary},
	{0xb5, 0xba, binary}, {0xbc, 0xbf, binary},
	{0xc0, 0xc1, unary}, {0xc3, 0xc4, unary}, {0xc7, 0xca, unary}, {0xcb, 0xce, binary}, {0xd1, 0xd1, binary},
	{0xd5, 0xdb, binary}, {0xdc, 0xdf, binary},
	{0xe0, 0xe1, unary}, {0xe3, 0xe3, unary}, {0xe4, 0xeb, binary},
	{0xec, 0xed, unary}, {0xef, 0xef, unary}, {0xf0, 0xf7, binary}, {0xf8, 0xff, unary},
})

// shapeOf gives the shape of an opcode that the decoder accepted.
func shapeOf(op uint16) shape {
	switch op >> 8 {
	case prefixMisc:
		return misc[op&0xff]
	case prefixVector:
		return vector[op&0xff]
	}
	return plain[op&0xff]
}
