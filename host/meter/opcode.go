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
	opI64GeS       = 0x59
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
