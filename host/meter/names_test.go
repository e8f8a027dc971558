package meter

import (
	"bytes"
	"slices"
	"testing"
)

// TestSections: custom sections stay where they were, the name section follows the
// functions, and the same module gives the same bytes.
func TestSections(t *testing.T) {
	entry := func(i byte, s string) []byte { return append([]byte{i}, name(s)...) }
	wasm := guest(code(opCall, 2), code())
	wasm = append(wasm, section(sectionCustom, name("kept"), []byte("bytes"))...)
	wasm = append(wasm, section(sectionCustom, name(".debug_line"), []byte("places"))...)
	wasm = append(wasm, section(sectionCustom, name("name"),
		section(0, name("module")),
		section(namesOfFunctions, list(entry(0, "tick"), entry(1, "first"), entry(2, "second"))),
		section(namesOfLocals, list(append([]byte{1}, list(entry(0, "x"))...))),
		section(7, list(entry(0, "global"))))...)
	out, info, err := Rewrite(wasm, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if again, _, _ := Rewrite(bytes.Clone(wasm), Config{}); !bytes.Equal(out, again) {
		t.Error("the same module gives other bytes")
	}
	if !slices.Equal(info.Dropped, []string{".debug_line"}) || bytes.Contains(out, []byte("places")) {
		t.Errorf("%v are dropped", info.Dropped)
	}
	for what, want := range map[string][]byte{
		"the section that is kept": section(sectionCustom, name("kept"), []byte("bytes")),
		"the module's name":        section(0, name("module")),
		"functions":                list(entry(0, "tick"), entry(1, ImportModule+"."+ImportRefill), entry(2, "first"), entry(3, "second"), entry(4, ImportModule+".slow"), entry(5, ImportModule+".call")),
		"locals":                   section(namesOfLocals, list(append([]byte{2}, list(entry(0, "x"))...))),
		"globals":                  section(7, list(entry(0, "global"))),
	} {
		if !bytes.Contains(out, want) {
			t.Errorf("%s: no % x", what, want)
		}
	}
	if _, err := read(out, Limits{}.withDefaults()); err != nil {
		t.Errorf("what is written is not read: %v", err)
	}
}
