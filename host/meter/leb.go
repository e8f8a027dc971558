package meter

// The writer's half of cursor: each number is written in its shortest form, so
// that whoever reads the module next reads what was read here.

func appendU32(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func appendSigned(b []byte, v int64) []byte {
	for v < -0x40 || v > 0x3f {
		b = append(b, byte(v)|0x80) //nolint:gosec // the low seven bits
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}

func appendBytes(b, v []byte) []byte {
	return append(appendU32(b, uint32(len(v))), v...) //nolint:gosec // shorter than a module
}

func appendName(b []byte, v string) []byte {
	return append(appendU32(b, uint32(len(v))), v...) //nolint:gosec // shorter than a module
}
