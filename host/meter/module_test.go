package meter_test

import "encoding/binary"

// longSegment is a module with a data segment, init(to, from, n) and drop().
func longSegment(text string) []byte {
	leb := func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }
	section := func(id byte, body ...byte) []byte { return append(append([]byte{id}, leb(len(body))...), body...) }
	wasm := []byte("\x00asm\x01\x00\x00\x00")
	wasm = append(wasm, section(1, 2, 0x60, 3, 0x7f, 0x7f, 0x7f, 0, 0x60, 0, 0)...)
	wasm = append(wasm, section(3, 2, 0, 1)...)
	wasm = append(wasm, section(5, 1, 0, 8)...)
	wasm = append(wasm, section(7, 3,
		4, 'i', 'n', 'i', 't', 0, 0, 4, 'd', 'r', 'o', 'p', 0, 1, 6, 'm', 'e', 'm', 'o', 'r', 'y', 2, 0)...)
	wasm = append(wasm, section(12, 1)...)
	wasm = append(wasm, section(10, 2, 12, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 8, 0, 0, 0x0b, 5, 0, 0xfc, 9, 0, 0x0b)...)
	return append(wasm, section(11, append(append([]byte{1, 1}, leb(len(text))...), text...)...)...)
}
