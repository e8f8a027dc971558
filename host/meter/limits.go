package meter

// Limits bound what a module may ask for before anything compiles it: a compiler
// takes memory and time for what a few bytes declare. Zeros mean the defaults,
// which a Go program of 20 MB stays well below.
type Limits struct {
	// ModuleBytes is the longest module. Default 64 MiB.
	ModuleBytes uint32
	// BodyBytes is the longest function. Default 4 MiB.
	BodyBytes uint32
	// Types is the most function types. Default 10,000.
	Types uint32
	// Params and Results are the most of one function type. Defaults 128 and 64.
	Params, Results uint32
	// Imports is the most imports. Default 1,000.
	Imports uint32
	// Functions is the most functions, imports aside. Default 200,000.
	Functions uint32
	// Locals is the most locals of one function, parameters aside, and AllLocals
	// of all functions together. Defaults 20,000 and 5,000,000.
	Locals, AllLocals uint32
	// Globals is the most globals. Default 10,000.
	Globals uint32
	// Exports is the most exports. Default 10,000.
	Exports uint32
	// Tables is the most tables. Default 16.
	Tables uint32
	// TableElements is the longest table: a minimum above it is refused, and it
	// is written as the maximum where there is none or a higher one. Default
	// 1,000,000.
	TableElements uint32
	// MemoryPages is the most pages of linear memory, of 64 KiB each: a minimum
	// above it is refused, and it is written as the maximum where there is none or
	// a higher one. Default 16,384, which is 1 GiB.
	MemoryPages uint32
	// Segments is the most data segments, and the most element segments. Default
	// 100,000.
	Segments uint32
	// Elements is the most elements of all element segments together. Default
	// 1,000,000.
	Elements uint32
	// BranchTargets is the most targets of one br_table. Default 65,536.
	BranchTargets uint32
	// Nesting is how deep blocks may nest. Default 20,000: Go's compiler opens a
	// block for each place where a function may be resumed.
	Nesting uint32
	// OperandStack is the most operands at once. Default 10,000.
	OperandStack uint32
	// Helpers is the most functions that metering adds: one for each bulk
	// instruction on another table or segment, and for each imported function that
	// is not only called. Default 10,000.
	Helpers uint32
	// Names is the most entries of the name section: functions, locals and labels.
	// Default 1,000,000.
	Names uint32
	// NameBytes is the longest name of an import, an export or a custom section.
	// Default 4,096.
	NameBytes uint32
}

// withDefaults fills what is zero.
func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		field *uint32
		value uint32
	}{
		{&l.ModuleBytes, 64 << 20},
		{&l.BodyBytes, 4 << 20},
		{&l.Types, 10_000},
		{&l.Params, 128},
		{&l.Results, 64},
		{&l.Imports, 1_000},
		{&l.Functions, 200_000},
		{&l.Locals, 20_000},
		{&l.AllLocals, 5_000_000},
		{&l.Globals, 10_000},
		{&l.Exports, 10_000},
		{&l.Tables, 16},
		{&l.TableElements, 1_000_000},
		{&l.MemoryPages, 16_384},
		{&l.Segments, 100_000},
		{&l.Elements, 1_000_000},
		{&l.BranchTargets, 65_536},
		{&l.Nesting, 20_000},
		{&l.OperandStack, 10_000},
		{&l.Helpers, 10_000},
		{&l.Names, 1_000_000},
		{&l.NameBytes, 4_096},
	} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}
