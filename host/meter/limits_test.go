package meter

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// repeat is a vector of n equal entries.
func repeat(n int, entry ...byte) []byte {
	return append(appendU32(nil, uint32(n)), bytes.Repeat(entry, n)...)
}

var voids = section(sectionType, list(signature(nil, nil)))

// exporting is a module of one function, exported under a name.
func exporting(as string) []byte {
	return assembled(voids, section(sectionFunction, []byte{1, 0}), section(sectionExport, list(append(name(as), kindFunction, 0))), section(sectionCode, list(code())))
}

// TestRefused: what is not known, not valid or too much is refused by one line
// that says what and where.
func TestRefused(t *testing.T) {
	small := Limits{
		ModuleBytes: 300, BodyBytes: 40, Types: 2, Params: 2, Results: 1, Imports: 2, Functions: 2, Locals: 3, AllLocals: 5,
		Globals: 2, Exports: 2, Tables: 2, TableElements: 10, MemoryPages: 3, Segments: 2, Elements: 3, BranchTargets: 2, Nesting: 3,
		OperandStack: 4, Helpers: 4, Names: 2, NameBytes: 20,
	}
	memory, table := section(sectionMemory, list([]byte{0, 1})), section(sectionTable, list([]byte{byte(funcref), 0, 1}))
	body := func(b ...byte) []byte {
		return assembled(voids, section(sectionFunction, []byte{1, 0}), section(sectionCode, list(appendBytes(nil, b))))
	}
	importOf := func(kind ...byte) []byte {
		return assembled(voids, section(sectionImport, list(append(append(name("m"), name("n")...), kind...))))
	}
	for _, c := range []struct {
		name string
		wasm []byte
		want string
	}{
		{"empty", nil, "does not begin"},
		{"component", []byte("\x00asm\x0d\x00\x01\x00"), "does not begin"},
		{"cut short", append(assembled(), 1), "ends too early"},
		{"long section", append(assembled(), 1, 0xff, 0xff, 0xff, 0xff, 0x0f), "bytes are missing"},
		{"unknown section", assembled(section(13, []byte{0})), "section 13 is not known"},
		{"section twice", assembled(voids, voids), "out of order"},
		{"bytes left over", assembled(section(sectionType, []byte{0, 0})), "1 bytes are left over in the section"},
		{"module", append(assembled(), make([]byte, 300)...), "limit of bytes of a module: at most 300, asked for 308"},
		{"types", assembled(section(sectionType, repeat(3, 0x60, 0, 0))), "limit of types"},
		{"4 billion types", assembled(section(sectionType, []byte{0xff, 0xff, 0xff, 0xff, 0x0f})), "limit of types"},
		{"params", assembled(section(sectionType, list(signature([]valueType{i32, i32, i32}, nil)))), "limit of parameters"},
		{"results", assembled(section(sectionType, list(signature(nil, []valueType{i32, i32})))), "limit of results"},
		{"locals", body(1, 4, byte(i32), opEnd), "limit of locals of a function: at most 3, asked for 4"},
		{"4 billion locals", body(2, 0xff, 0xff, 0xff, 0xff, 0x0f, byte(i32), 0xff, 0xff, 0xff, 0xff, 0x0f, byte(i64), opEnd), "limit of locals"},
		{"all locals", assembled(voids, section(sectionFunction, []byte{2, 0, 0}), section(sectionCode, repeat(2, 4, 1, 3, byte(i32), opEnd))), "limit of locals of all functions"},
		{"functions", assembled(voids, section(sectionFunction, []byte{3, 0, 0, 0}), section(sectionCode, repeat(3, 2, 0, opEnd))), "limit of functions"},
		{"body", body(append(append([]byte{0}, make([]byte, 0, 40)...), append(bytes.Repeat([]byte{opNop}, 40), opEnd)...)...), "limit of bytes of a function"},
		{"bodies missing", assembled(voids, section(sectionFunction, []byte{1, 0})), "1 functions and 0 bodies"},
		{"table", assembled(section(sectionTable, list([]byte{byte(funcref), 0, 11}))), "limit of elements of a table: at most 10, asked for 11"},
		{"tables", assembled(section(sectionTable, repeat(3, byte(funcref), 0, 0))), "limit of tables"},
		{"memory", assembled(section(sectionMemory, list([]byte{0, 4}))), "limit of pages"},
		{"memories", assembled(section(sectionMemory, repeat(2, 0, 1))), "limit of memories"},
		{"memory and import", assembled(section(sectionImport, list([]byte{0, 0, kindMemory, 0, 1})), memory), "more than one"},
		{"memory64", assembled(section(sectionMemory, list([]byte{4, 1}))), "no 64-bit memory"},
		{"shared", assembled(section(sectionMemory, list([]byte{3, 1, 1}))), "no shared memory"},
		{"globals", assembled(section(sectionGlobal, repeat(3, byte(i32), 0, opI32Const, 0, opEnd))), "limit of globals"},
		{"exports", assembled(memory, section(sectionExport, list(append(name("a"), 2, 0), append(name("b"), 2, 0), append(name("c"), 2, 0)))), "limit of exports"},
		{"export twice", assembled(memory, section(sectionExport, list(append(name("a"), 2, 0), append(name("a"), 2, 0)))), `two exports are named "a"`},
		{"long name", exporting(strings.Repeat("x", 21)), "limit of bytes of a name"},
		{"name not UTF-8", exporting("\xff"), "not UTF-8"},
		{"elements", assembled(table, section(sectionElement, list(append([]byte{5, byte(funcref)}, repeat(4, opRefNull, byte(funcref), opEnd)...)))), "limit of elements"},
		{"elements of segments", assembled(table, section(sectionElement, repeat(2, 5, byte(funcref), 2, opRefNull, byte(funcref), opEnd, opRefNull, byte(funcref), opEnd))), "limit of elements of all segments"},
		{"segments", assembled(memory, section(sectionData, repeat(3, 1, 0))), "limit of data segments"},
		{"4 billion data", assembled(memory, section(sectionData, []byte{1, 1, 0xff, 0xff, 0xff, 0xff, 0x0f})), "bytes are missing"},
		{"branches", body(0, opI32Const, 0, opBrTable, 3, 0, 0, 0, 0, opEnd), "limit of targets"},
		{"nesting", body(append(append([]byte{0}, bytes.Repeat([]byte{opBlock, noResult}, 4)...), bytes.Repeat([]byte{opEnd}, 5)...)...), "limit of nested blocks"},
		{"operands", body(append(append([]byte{0}, bytes.Repeat([]byte{opI32Const, 0}, 5)...), opUnreachable, opEnd)...), "limit of operands"},
		{"names", assembled(section(sectionCustom, name("name"), section(1, list([]byte{0, 1, 'a'}, []byte{1, 1, 'b'}, []byte{2, 1, 'c'})))), "limit of entries of the name section"},
		{"tail call", body(0, 0x12, 0, opEnd), "0x12 is not known here: it is a tail call"},
		{"throw", body(0, 0x08, 0, opEnd), "of exceptions"},
		{"try_table", body(0, 0x1f, noResult, 0, opEnd, opEnd), "of exceptions"},
		{"atomic", body(0, 0xfe, 0, opEnd), "of threads"},
		{"relaxed vectors", body(0, prefixVector, 0x80, 0x02, opEnd), "not known here"},
		{"extended constant", assembled(section(sectionGlobal, list([]byte{byte(i32), 0, opI32Const, 1, opI32Const, 1, opI32Add, opEnd}))), "longer than one instruction"},
		{"tag", importOf(4, 0, 0), "import kind 0x04 is not known"},
		{"code past the end", body(0, opEnd, opNop), "left over"},
		{"no end", body(0, opNop), "ends too early"},
		{"stack", body(0, opDrop, opEnd), "any value is missing on the stack"},
		{"type", body(0, opI64Const, 0, opI32Eqz, opDrop, opEnd), "there is i64 on the stack, not i32"},
		{"refill called", body(0, opCall, 1, opEnd), "function 1 is out of range"},
		{"fuel set", body(0, opI64Const, 1, opGlobalSet, 0, opEnd), "global 0 is out of range"},
		{"start", assembled(section(sectionType, list(signature([]valueType{i32}, nil))), section(sectionFunction, []byte{1, 0}), section(sectionStart, []byte{0}), section(sectionCode, list(code()))), "starts the module"},
	} {
		_, _, err := Rewrite(c.wasm, Config{Limits: small})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
		format, limit := (*FormatError)(nil), (*LimitError)(nil)
		if !errors.As(err, &format) && !errors.As(err, &limit) {
			t.Errorf("%s: %T", c.name, err)
		}
	}
}

// TestReserved: a module that could reach what metering adds is refused.
func TestReserved(t *testing.T) {
	for _, wasm := range [][]byte{
		exporting(ExportFuel), exporting(ExportStack), exporting("loopdock_meter_other"),
		assembled(voids, section(sectionImport, list(append(append(name(ImportModule), name("x")...), kindFunction, 0)))),
	} {
		_, _, err := Rewrite(wasm, Config{})
		if reserved := (*ReservedError)(nil); !errors.As(err, &reserved) {
			t.Errorf("%v", err)
		}
	}
}

// TestConfig: negative numbers are refused.
func TestConfig(t *testing.T) {
	for _, cfg := range []Config{{Fuel: -1}, {StackBytes: -1}} {
		if _, _, err := Rewrite(assembled(), cfg); err == nil {
			t.Errorf("%+v is taken", cfg)
		}
	}
}

// TestHelpersAreLimited: each memory.init of a segment of its own adds a function.
func TestHelpersAreLimited(t *testing.T) {
	var b []byte
	for i := range 10 {
		b = append(b, opI32Const, 0, opI32Const, 0, opI32Const, 0, prefixMisc, 8, byte(i), 0)
	}
	wasm := assembled(voids, section(sectionFunction, []byte{1, 0}), section(sectionMemory, list([]byte{0, 1})),
		section(sectionDataCount, []byte{10}), section(sectionCode, list(code(b...))), section(sectionData, repeat(10, 1, 0)))
	limit := (*LimitError)(nil)
	if _, _, err := Rewrite(wasm, Config{Limits: Limits{Helpers: 10}}); !errors.As(err, &limit) {
		t.Errorf("%v", err)
	}
	if _, info, err := Rewrite(wasm, Config{Limits: Limits{Helpers: 11}}); err != nil || info.Helpers != 11 {
		t.Errorf("%v %+v", err, info)
	}
}
