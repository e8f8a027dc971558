package meter

import "slices"

// This file builds modules for tests, a section at a time.

func section(id byte, body ...[]byte) []byte {
	return appendBytes([]byte{id}, slices.Concat(body...))
}

func assembled(sections ...[]byte) []byte {
	return slices.Concat(append([][]byte{header}, sections...)...)
}

// list is a vector of entries.
func list(entries ...[]byte) []byte {
	return append(appendU32(nil, uint32(len(entries))), slices.Concat(entries...)...)
}

func name(s string) []byte { return appendName(nil, s) }

// signature is a function type.
func signature(params, results []valueType) []byte { return appendType(nil, funcType{params, results}) }

// code is a function body without locals; it gets its end.
func code(instrs ...byte) []byte {
	return appendBytes(nil, append(append([]byte{0}, instrs...), opEnd))
}

// one is a module of one function () -> () and what stands around it.
func one(instrs ...byte) []byte {
	return assembled(
		section(sectionType, list(signature(nil, nil))),
		section(sectionFunction, []byte{1, 0}),
		section(sectionTable, list([]byte{byte(funcref), 0, 1}, []byte{byte(externref), 0, 1})),
		section(sectionMemory, list([]byte{0, 1})),
		section(sectionGlobal, list([]byte{byte(i32), 1, opI32Const, 0, opEnd})),
		section(sectionElement, list([]byte{1, 0, 1, 0})),
		section(sectionDataCount, []byte{1}),
		section(sectionCode, list(code(instrs...))),
		section(sectionData, list([]byte{1, 1, 'x'})),
	)
}
