package sandbox

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/meter"
)

var (
	magic     = []byte("\x00asm")
	core      = []byte("\x00asm\x01\x00\x00\x00")
	component = []byte("\x00asm\x0d\x00\x01\x00")
)

const buildHint = "build guests by loopdock build, or after abi/ABI.md"

// checkHeader tells a module from what people mistake for one.
func checkHeader(name string, wasm []byte) error {
	fail := func(problem, hint string) error { return &LoadError{Module: name, Problem: problem, hint: hint} }
	switch {
	case bytes.HasPrefix(wasm, core):
		return nil
	case len(wasm) == 0:
		return fail("the file is empty", buildHint)
	case bytes.HasPrefix(wasm, component):
		return fail("it is a WebAssembly component, and Loopdock runs core modules", buildHint)
	case bytes.HasPrefix(wasm, magic):
		return fail("it is cut short, or of a WebAssembly version that is not known here", buildHint)
	case looksLikeText(bytes.TrimSpace(wasm)):
		return fail("it is WebAssembly text, and Loopdock runs the binary format", "translate it by wat2wasm")
	default:
		return fail(fmt.Sprintf("it is not a WebAssembly module: it begins with %q", wasm[:min(len(wasm), 8)]), buildHint)
	}
}

func looksLikeText(b []byte) bool {
	return bytes.HasPrefix(b, []byte("(module")) || bytes.HasPrefix(b, []byte(";;")) || bytes.HasPrefix(b, []byte("(;"))
}

// checkImports refuses what the host does not offer, by name.
func checkImports(name string, c wazero.CompiledModule) error {
	const hint = "abi/ABI.md lists what a guest may import"
	fail := func(what, hint string) error {
		return &LoadError{Module: name, Problem: "it imports " + what + ", which this host does not offer", hint: hint}
	}
	for _, f := range c.ImportedFunctions() {
		module, function, _ := f.Import()
		switch module {
		case meter.ImportModule: // which metering has added
		case wasiModule:
			if !wasiCalls[function] {
				return fail(module+"."+function, "guests have no sockets, files or processes")
			}
		case importModule:
			want, ok := importSignature(function)
			if !ok {
				return fail(module+"."+function, hint)
			}
			if got := signature(f.ParamTypes(), f.ResultTypes()); got != want {
				return &LoadError{Module: name, Problem: fmt.Sprintf("its import %s.%s is %s and should be %s", module, function, got, want), hint: hint}
			}
		default:
			return fail(module+"."+function, hint)
		}
	}
	for _, m := range c.ImportedMemories() {
		module, memory, _ := m.Import()
		return fail("the memory "+module+"."+memory, "a guest exports its own memory")
	}
	return nil
}

// importSignature is that of a function of the ABI's import module.
func importSignature(name string) (string, bool) {
	for _, i := range imports {
		if i.name == name {
			return signature(i.params, i.results), true
		}
	}
	return "", false
}

// exports are the functions that a guest must export.
var exports = []struct {
	name            string
	params, results []api.ValueType
	optional        bool
}{
	{name: abi.ExportMarker},
	{name: abi.ExportAlloc, params: []api.ValueType{api.ValueTypeI32}, results: []api.ValueType{api.ValueTypeI32}},
	{name: abi.ExportDescribe, results: []api.ValueType{api.ValueTypeI64}},
	{name: abi.ExportReconcile, params: []api.ValueType{api.ValueTypeI32, api.ValueTypeI32}, results: []api.ValueType{api.ValueTypeI64}},
	{name: abi.ExportInitialize, optional: true},
}

// checkExports holds names and signatures against the ABI.
func checkExports(name string, c wazero.CompiledModule) error {
	functions := c.ExportedFunctions()
	for _, e := range exports {
		f, ok := functions[e.name]
		if !ok && e.optional {
			continue
		}
		if !ok {
			return missingExport(name, e.name, signature(e.params, e.results), functions)
		}
		if got, want := signature(f.ParamTypes(), f.ResultTypes()), signature(e.params, e.results); got != want {
			return &LoadError{Module: name, Problem: fmt.Sprintf("its export %s is %s and should be %s", e.name, got, want), hint: buildHint}
		}
	}
	if _, ok := c.ExportedMemories()[abi.ExportMemory]; !ok {
		return &LoadError{Module: name, Problem: fmt.Sprintf("it does not export its linear memory as %q", abi.ExportMemory), hint: buildHint}
	}
	return nil
}

func missingExport(module, export, want string, functions map[string]api.FunctionDefinition) error {
	if export == abi.ExportMarker {
		for name := range functions {
			if other, ok := strings.CutPrefix(name, abi.ExportMarkerPrefix); ok {
				return &LoadError{
					Module:  module,
					Problem: fmt.Sprintf("it speaks version %s of the ABI, and this host speaks version %d", other, abi.Version),
					hint:    "build it for this host's version, or run a host of its own",
				}
			}
		}
	}
	return &LoadError{Module: module, Problem: fmt.Sprintf("it is no guest: it does not export %s %s", export, want), hint: buildHint}
}

// signature writes a function's type as "(i32, i32) -> i64".
func signature(params, results []api.ValueType) string {
	list := func(types []api.ValueType) string {
		names := make([]string, len(types))
		for i, t := range types {
			names[i] = api.ValueTypeName(t)
		}
		return "(" + strings.Join(names, ", ") + ")"
	}
	return list(params) + " -> " + list(results)
}
