package meter

// shape is how an instruction is written, and what it takes from and leaves on
// the stack; what depends on more than the opcode is worked out by the walk.
type shape struct {
	imm     immediate
	in, out []valueType
	// most is the greatest alignment of an access, as a power of two, or how many
	// lanes there are.
	most byte
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

// letters write value types in signatures.
var letters = map[rune]valueType{'i': i32, 'I': i64, 'f': f32, 'F': f64, 'v': v128, 'r': funcref}

func typesOf(s string) (out []valueType) {
	for _, l := range s {
		out = append(out, letters[l])
	}
	return out
}

// op is a shape without an immediate.
func op(in, out string) shape { return with(immNone, in, out) }

func with(imm immediate, in, out string) shape {
	return shape{imm: imm, in: typesOf(in), out: typesOf(out)}
}

// load and store are shapes of accesses to memory.
func load(out string, most byte) shape { return shape{immAccess, typesOf("i"), typesOf(out), most} }
func store(in string, most byte) shape { return shape{immAccess, typesOf("i" + in), nil, most} }

// lane is the shape of an instruction on one of so many lanes.
func lane(in, out string, lanes byte) shape { return shape{immLane, typesOf(in), typesOf(out), lanes} }

var plain = spread([]span{
	{opUnreachable, opNop, op("", "")},
	{opBlock, opLoop, with(immBlock, "", "")},
	{opIf, opIf, with(immBlock, "i", "")},
	{opElse, opElse, op("", "")},
	{opEnd, opEnd, op("", "")},
	{opBr, opBr, with(immLabel, "", "")},
	{opBrIf, opBrIf, with(immLabel, "i", "")},
	{opBrTable, opBrTable, with(immLabels, "i", "")},
	{opReturn, opReturn, op("", "")},
	{opCall, opCall, with(immFunction, "", "")},
	{opCallIndirect, opCallIndirect, with(immTypeTable, "i", "")},
	{opDrop, opDrop, op("", "")},
	{opSelect, opSelect, op("i", "")},
	{opSelectTyped, opSelectTyped, with(immTypes, "i", "")},
	{opLocalGet, opLocalTee, with(immLocal, "", "")},
	{opGlobalGet, opGlobalSet, with(immGlobal, "", "")},
	{opTableGet, opTableSet, with(immTable, "", "")},

	{0x28, 0x28, load("i", 2)},
	{0x29, 0x29, load("I", 3)},
	{0x2a, 0x2a, load("f", 2)},
	{0x2b, 0x2b, load("F", 3)},
	{0x2c, 0x2d, load("i", 0)},
	{0x2e, 0x2f, load("i", 1)},
	{0x30, 0x31, load("I", 0)},
	{0x32, 0x33, load("I", 1)},
	{0x34, 0x35, load("I", 2)},
	{0x36, 0x36, store("i", 2)},
	{0x37, 0x37, store("I", 3)},
	{0x38, 0x38, store("f", 2)},
	{0x39, 0x39, store("F", 3)},
	{0x3a, 0x3a, store("i", 0)},
	{0x3b, 0x3b, store("i", 1)},
	{0x3c, 0x3c, store("I", 0)},
	{0x3d, 0x3d, store("I", 1)},
	{0x3e, 0x3e, store("I", 2)},
	{opMemorySize, opMemorySize, with(immMemory, "", "i")},
	{opMemoryGrow, opMemoryGrow, with(immMemory, "i", "i")},

	{opI32Const, opI32Const, with(immI32, "", "i")},
	{opI64Const, opI64Const, with(immI64, "", "I")},
	{opF32Const, opF32Const, with(immBytes4, "", "f")},
	{opF64Const, opF64Const, with(immBytes8, "", "F")},
	{opI32Eqz, opI32Eqz, op("i", "i")},
	{0x46, 0x4f, op("ii", "i")},
	{0x50, 0x50, op("I", "i")},
	{0x51, 0x5a, op("II", "i")},
	{0x5b, 0x60, op("ff", "i")},
	{0x61, 0x66, op("FF", "i")},
	{0x67, 0x69, op("i", "i")},
	{0x6a, 0x78, op("ii", "i")},
	{0x79, 0x7b, op("I", "I")},
	{0x7c, 0x8a, op("II", "I")},
	{0x8b, 0x91, op("f", "f")},
	{0x92, 0x98, op("ff", "f")},
	{0x99, 0x9f, op("F", "F")},
	{0xa0, 0xa6, op("FF", "F")},

	{0xa7, 0xa7, op("I", "i")},
	{0xa8, 0xa9, op("f", "i")},
	{0xaa, 0xab, op("F", "i")},
	{0xac, 0xad, op("i", "I")},
	{0xae, 0xaf, op("f", "I")},
	{0xb0, 0xb1, op("F", "I")},
	{0xb2, 0xb3, op("i", "f")},
	{0xb4, 0xb5, op("I", "f")},
	{0xb6, 0xb6, op("F", "f")},
	{0xb7, 0xb8, op("i", "F")},
	{0xb9, 0xba, op("I", "F")},
	{0xbb, 0xbb, op("f", "F")},
	{0xbc, 0xbc, op("f", "i")},
	{0xbd, 0xbd, op("F", "I")},
	{0xbe, 0xbe, op("i", "f")},
	{0xbf, 0xbf, op("I", "F")},
	{0xc0, 0xc1, op("i", "i")},
	{0xc2, 0xc4, op("I", "I")},

	{opRefNull, opRefNull, with(immRefType, "", "")},
	{opRefIsNull, opRefIsNull, op("", "")},
	{opRefFunc, opRefFunc, with(immFunction, "", "r")},
})

var misc = spread([]span{
	{0, 1, op("f", "i")},
	{2, 3, op("F", "i")},
	{4, 5, op("f", "I")},
	{6, 7, op("F", "I")},
	{8, 8, with(immDataMemory, "iii", "")},
	{9, 9, with(immData, "", "")},
	{10, 10, with(immMemories, "iii", "")},
	{11, 11, with(immMemory, "iii", "")},
	{12, 12, with(immElemTable, "iii", "")},
	{13, 13, with(immElem, "", "")},
	{14, 14, with(immTables, "iii", "")},
	{15, 15, with(immTable, "", "")},
	{16, 16, with(immTable, "", "i")},
	{17, 17, with(immTable, "", "")},
})

var (
	unary  = op("v", "v")
	binary = op("vv", "v")
	test   = op("v", "i")
	shift  = op("vi", "v")
)

// vector has no entry for the numbers that WebAssembly 2.0 leaves free.
var vector = spread([]span{
	{0x00, 0x00, load("v", 4)},
	{0x01, 0x06, load("v", 3)},
	{0x07, 0x07, load("v", 0)},
	{0x08, 0x08, load("v", 1)},
	{0x09, 0x09, load("v", 2)},
	{0x0a, 0x0a, load("v", 3)},
	{0x0b, 0x0b, store("v", 4)},
	{0x0c, 0x0c, with(immBytes16, "", "v")},
	{0x0d, 0x0d, with(immBytes16, "vv", "v")},
	{0x0e, 0x0e, binary},
	{0x0f, 0x11, op("i", "v")},
	{0x12, 0x12, op("I", "v")},
	{0x13, 0x13, op("f", "v")},
	{0x14, 0x14, op("F", "v")},
	{0x15, 0x16, lane("v", "i", 16)},
	{0x17, 0x17, lane("vi", "v", 16)},
	{0x18, 0x19, lane("v", "i", 8)},
	{0x1a, 0x1a, lane("vi", "v", 8)},
	{0x1b, 0x1b, lane("v", "i", 4)},
	{0x1c, 0x1c, lane("vi", "v", 4)},
	{0x1d, 0x1d, lane("v", "I", 2)},
	{0x1e, 0x1e, lane("vI", "v", 2)},
	{0x1f, 0x1f, lane("v", "f", 4)},
	{0x20, 0x20, lane("vf", "v", 4)},
	{0x21, 0x21, lane("v", "F", 2)},
	{0x22, 0x22, lane("vF", "v", 2)},
	{0x23, 0x4c, binary},
	{0x4d, 0x4d, unary},
	{0x4e, 0x51, binary},
	{0x52, 0x52, op("vvv", "v")},
	{0x53, 0x53, test},
	{0x54, 0x54, laneAccess("v", 0)},
	{0x55, 0x55, laneAccess("v", 1)},
	{0x56, 0x56, laneAccess("v", 2)},
	{0x57, 0x57, laneAccess("v", 3)},
	{0x58, 0x58, laneAccess("", 0)},
	{0x59, 0x59, laneAccess("", 1)},
	{0x5a, 0x5a, laneAccess("", 2)},
	{0x5b, 0x5b, laneAccess("", 3)},
	{0x5c, 0x5c, load("v", 2)},
	{0x5d, 0x5d, load("v", 3)},
	{0x5e, 0x62, unary},
	{0x63, 0x64, test},
	{0x65, 0x66, binary},
	{0x67, 0x6a, unary},
	{0x6b, 0x6d, shift},
	{0x6e, 0x73, binary},
	{0x74, 0x75, unary},
	{0x76, 0x79, binary},
	{0x7a, 0x7a, unary},
	{0x7b, 0x7b, binary},
	{0x7c, 0x81, unary},
	{0x82, 0x82, binary},
	{0x83, 0x84, test},
	{0x85, 0x86, binary},
	{0x87, 0x8a, unary},
	{0x8b, 0x8d, shift},
	{0x8e, 0x93, binary},
	{0x94, 0x94, unary},
	{0x95, 0x99, binary},
	{0x9b, 0x9f, binary},
	{0xa0, 0xa1, unary},
	{0xa3, 0xa4, test},
	{0xa7, 0xaa, unary},
	{0xab, 0xad, shift},
	{0xae, 0xae, binary},
	{0xb1, 0xb1, binary},
	{0xb5, 0xba, binary},
	{0xbc, 0xbf, binary},
	{0xc0, 0xc1, unary},
	{0xc3, 0xc4, test},
	{0xc7, 0xca, unary},
	{0xcb, 0xcd, shift},
	{0xce, 0xce, binary},
	{0xd1, 0xd1, binary},
	{0xd5, 0xdb, binary},
	{0xdc, 0xdf, binary},
	{0xe0, 0xe1, unary},
	{0xe3, 0xe3, unary},
	{0xe4, 0xeb, binary},
	{0xec, 0xed, unary},
	{0xef, 0xef, unary},
	{0xf0, 0xf7, binary},
	{0xf8, 0xff, unary},
})

// laneAccess is the shape of a load or store of one lane.
func laneAccess(out string, most byte) shape {
	return shape{immAccessLane, typesOf("iv"), typesOf(out), most}
}

// shapeOf gives the shape of an opcode that the decoder accepted.
func shapeOf(op uint16) *shape {
	switch op >> 8 {
	case prefixMisc:
		return &misc[op&0xff]
	case prefixVector:
		return &vector[op&0xff]
	}
	return &plain[op&0xff]
}
