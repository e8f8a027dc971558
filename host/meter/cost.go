package meter

// The costs of instructions. A unit is about what a plain instruction takes in
// compiled code, less than a nanosecond; the rest is in proportion, rounded, and
// rather too much than too little.
const (
	// costPlain is most instructions.
	costPlain = 1
	// costNothing is what leaves no machine code behind.
	costNothing = 0
	// costDivide is divisions and square roots, which take some 10 to 40 cycles.
	costDivide = 8
	// costConvert is roundings and conversions that need several instructions.
	costConvert = 3
	// costVector is most vector instructions, costVectorLong those for which there
	// is no instruction of the processor's.
	costVector, costVectorLong = 2, 8
	// costBranchTable is a jump by table, costCall a call, and costCallIndirect one
	// that looks a function up and checks its type.
	costBranchTable, costCall, costCallIndirect = 3, 4, 6
	// costLeave is an instruction for which compiled code leaves for Go, such as
	// ref.func and the call of an imported function.
	costLeave = 64
	// costBulk is what a bulk instruction takes however short it is.
	costBulk = 16

	// bytesShift: a unit moves or fills 8 bytes of memory, or an element of a table.
	bytesShift = 3
	// pageShift: a page of memory that is gained costs 2 to the power of this, for
	// the system zeroes it.
	pageShift = 13
	// costGrownElement is an element that a table gains, by copying the table.
	costGrownElement = 2

	// chunkBytes and chunkElements are how much a bulk instruction does at a time.
	chunkBytes, chunkElements = 64 << 10, 8 << 10
	// maxBlock is the most that is charged at once: a longer block is charged in
	// parts.
	maxBlock = 16 << 10
	// maxUnchecked is the most that is charged on one way through a function before
	// somebody looks whether fuel is left. smallLeaf is the most that a function
	// costs that calls nothing, does not loop and does not look.
	maxUnchecked, smallLeaf = 4 << 10, 200
	// foldOnce is the most that a basic block costs which is charged with the one
	// before it, whether it will run or not.
	foldOnce = 12
)

// costs of the instructions without prefix that are not plain.
var costs = func() (out [256]uint64) {
	for op := range out {
		out[op] = costPlain
	}
	for _, op := range []int{opNop, opBlock, opLoop, opElse, opEnd, opDrop, opUnreachable} {
		out[op] = costNothing
	}
	out[opBrTable], out[opCall], out[opCallIndirect] = costBranchTable, costCall, costCallIndirect
	out[opRefFunc], out[opMemoryGrow] = costLeave, costLeave
	for _, s := range []struct {
		first, last int
		cost        uint64
	}{
		{0x6d, 0x70, costDivide}, {0x7f, 0x82, costDivide}, // div, rem
		{0x8d, 0x91, costConvert}, {0x9b, 0x9f, costConvert}, // ceil to sqrt
		{0x91, 0x91, costDivide}, {0x95, 0x95, costDivide}, {0x9f, 0x9f, costDivide}, {0xa3, 0xa3, costDivide}, // sqrt, div
		{0x96, 0x98, costConvert}, {0xa4, 0xa6, costConvert}, // min, max, copysign
		{0xa8, 0xbb, costConvert}, // between integers and floats
	} {
		for op := s.first; op <= s.last; op++ {
			out[op] = s.cost
		}
	}
	out[0xac], out[opI64ExtendU] = costPlain, costPlain
	return out
}()

// cost is what an instruction is charged before it runs. What bulk instructions
// are charged by length comes on top.
func (m *module) cost(in *instr) uint64 {
	switch in.op >> 8 {
	case 0:
		if in.op == opCall && int(in.a) < m.imported() {
			return costLeave
		}
		return costs[in.op]
	case prefixMisc:
		switch {
		case in.op == opTableGrow:
			return costLeave
		case in.op >= opMemoryInit && in.op != opTableSize:
			return costBulk
		}
		return costConvert
	}
	return vectorCost(in.op)
}

func vectorCost(op uint16) uint64 {
	switch op & 0xff {
	case 0x0d, 0x0e, 0x62, // shuffle, swizzle, popcnt
		0x6b, 0x6c, 0x6d, 0xcc, 0xd5, // shifts of i8x16, i64x2.shr_s, i64x2.mul
		0x82, 0xe3, 0xe7, 0xe8, 0xe9, 0xef, 0xf3, 0xf4, 0xf5, // q15mulr, sqrt, div, min, max
		0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff: // conversions
		return costVectorLong
	}
	return costVector
}
