package meter

// This file writes instructions. Nothing is copied as it came: whoever reads the
// module next finds the instructions that were read here, however its reader
// takes odd encodings.

func appendOp(b []byte, op uint16) []byte {
	if op >= prefixMisc<<8 {
		return appendU32(append(b, byte(op>>8)), uint32(op&0xff))
	}
	return append(b, byte(op)) //nolint:gosec // one byte
}

func appendInstr(b []byte, in *instr) []byte {
	b = appendOp(b, in.op)
	switch in.imm {
	case immBlock, immI32, immI64:
		return appendSigned(b, in.value)
	case immLabel, immFunction, immLocal, immGlobal, immTable, immData, immElem:
		return appendU32(b, in.a)
	case immTypeTable, immTables, immElemTable, immAccess:
		return appendU32(appendU32(b, in.a), in.b)
	case immAccessLane:
		return append(appendU32(appendU32(b, in.a), in.b), in.lane)
	case immLabels:
		b = appendU32(b, uint32(len(in.targets)-1)) //nolint:gosec // limited
		for _, t := range in.targets {
			b = appendU32(b, t)
		}
	case immMemory:
		return append(b, 0)
	case immMemories:
		return append(b, 0, 0)
	case immDataMemory:
		return append(appendU32(b, in.a), 0)
	case immBytes4, immBytes8, immBytes16:
		return append(b, in.bytes...)
	case immLane:
		return append(b, in.lane)
	case immTypes:
		return append(b, 1, byte(in.value)) //nolint:gosec // a type
	case immRefType:
		return append(b, byte(in.value)) //nolint:gosec // a type
	default: // there is nothing else to write
	}
	return b
}
