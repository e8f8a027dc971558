package sandbox

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNotAModule: what people mistake for a module is told apart by its bytes.
func TestNotAModule(t *testing.T) {
	cases := map[string]struct {
		reason string
		bytes  string
		want   string
	}{
		"empty":     {"a build that failed leaves an empty file", "", "the file is empty"},
		"html":      {"a download may have fetched a page", "<!DOCTYPE html>", `it is not a WebAssembly module: it begins with "<!DOCTYP"`},
		"elf":       {"a native build by mistake", "\x7fELF\x02\x01\x01\x00\x00", `it is not a WebAssembly module: it begins with "\x7fELF\x02\x01\x01\x00"`},
		"short":     {"fewer bytes than are shown", "ab", `it is not a WebAssembly module: it begins with "ab"`},
		"component": {"components have the same first four bytes", "\x00asm\x0d\x00\x01\x00...", "it is a WebAssembly component, and Loopdock runs core modules"},
		"cut":       {"a copy that was cut short", "\x00asm\x01", "it is cut short, or of a WebAssembly version that is not known here"},
		"version":   {"a version of WebAssembly to come", "\x00asm\x02\x00\x00\x00", "it is cut short, or of a WebAssembly version that is not known here"},
		"text":      {"the text format", "\n(module)", "it is WebAssembly text, and Loopdock runs the binary format"},
		"comment":   {"the text format, behind a comment", ";; a guest\n(module)", "it is WebAssembly text, and Loopdock runs the binary format"},
		"no more":   {"a module with nothing in it", "\x00asm\x01\x00\x00\x00", "it is no guest: it does not export loopdock_abi_1 () -> ()"},
		"section":   {"a section is longer than the file", "\x00asm\x01\x00\x00\x00\x01\x7f", "it is not a valid WebAssembly module: cannot read the module at byte 10: it ends too early: 127 bytes are missing"},
	}
	r := newRuntime(t, Config{})
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := r.Load(t.Context(), "x.wasm", []byte(tc.bytes))
			if diff := cmp.Diff("cannot dock x.wasm: "+tc.want, text(err)); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
			wantRefusal(t, err)
		})
	}
}

// wantRefusal holds an error of Load against what all of them have in common.
func wantRefusal(t *testing.T, err error) {
	t.Helper()
	refusal := (*LoadError)(nil)
	switch {
	case !errors.As(err, &refusal):
		t.Errorf("the error is %T, not a *LoadError", err)
	case refusal.Hint() == "":
		t.Errorf("no hint for: %v", err)
	case strings.ContainsAny(err.Error(), "\n\r"):
		t.Errorf("not one line: %q", err.Error())
	}
}
