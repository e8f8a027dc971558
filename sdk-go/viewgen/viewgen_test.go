package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommittedViewsAreCurrent holds the files in sdk-go/view to what the
// generator writes for the versions in go.mod.
func TestCommittedViewsAreCurrent(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "view")
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s is not what viewgen writes (%v): run go generate ./sdk-go/view", name, err)
		}
	}
	committed, err := filepath.Glob(filepath.Join(root, "*", "zz_generated*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range committed {
		if rel, _ := filepath.Rel(root, name); want[filepath.ToSlash(rel)] == nil {
			t.Errorf("viewgen does not write %s any more: remove it", name)
		}
	}
}

func TestParseProto(t *testing.T) {
	const text = `/* licence */
syntax = "proto2";
package a.b.v1; // of the test
import "x/generated.proto";
option go_package = "a/b/v1";

// Thing is a thing.
message Thing {
  // name = 7;
  optional string name = 1;
  repeated .c.d.Other others = 2;
  map<string, bytes> data = 10;
}
message Empty {
}
`
	f, err := parseProto("t", text)
	if err != nil {
		t.Fatal(err)
	}
	if f.pkg != "a.b.v1" || len(f.messages) != 2 || f.messages[1].name != "Empty" {
		t.Fatalf("got %+v", f)
	}
	want := []field{{"name", 1, "string", optional}, {"others", 2, ".c.d.Other", repeated}, {"data", 10, "bytes", mapped}}
	for i, w := range want {
		if got := f.messages[0].fields[i]; got != w {
			t.Errorf("field %d is %+v, want %+v", i, got, w)
		}
	}
}

func TestParseProtoRefusesTheUnknown(t *testing.T) {
	cases := map[string]struct{ reason, in, want string }{
		"proto3":      {"presence works otherwise there", `syntax = "proto3";`, `t:1: got "\"proto3\""`},
		"no package":  {"names would be ambiguous", "syntax = \"proto2\";\n", "no package"},
		"enum":        {"Kubernetes has none", "package a;\nenum E {}", `t:2: "enum" is not known here`},
		"nested":      {"messages inside messages", "package a; message M {\n message N {} }", `t:2: "message" does not start a field`},
		"required":    {"Kubernetes has none", "package a; message M { required int32 x = 1; }", `"required" does not start a field`},
		"options":     {"they could change the encoding", "package a; message M { optional int32 x = 1 [packed=true]; }", `got "["`},
		"map key":     {"only strings are keys", "package a; message M { map<int32, string> x = 1; }", `got "int32"`},
		"number":      {"numbers start at one", "package a; message M { optional int32 x = 0; }", `"0" is not a field number`},
		"cut":         {"the file ends inside a message", "package a; message M {", "does not start a field"},
		"cut comment": {"the file ends inside a comment", "package a; /*", "a comment is not closed"},
		"cut string":  {"the line ends inside a string", "import \"x\n\";", "a string is not closed"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := parseProto("t", tc.in)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %q", tc.reason, err, tc.want)
			}
		})
	}
}

func TestBuildRefusesWhatItHasNoViewsFor(t *testing.T) {
	for typ, want := range map[string]string{
		".other.v1.Thing": "in no package that views are generated for",
		"double":          "in no package that views are generated for",
	} {
		f := file{pkg: "a.v1", messages: []message{{name: "M", fields: []field{{"x", 1, typ, optional}}}}}
		_, err := build([]input{{source{out: "a"}, f, goSource{}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", typ, err, want)
		}
	}
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"Labels": "Label", "AllocatedResourceStatuses": "AllocatedResourceStatus", "Data": "DataEntry", "Access": "AccessEntry",
	} {
		if got := singular(in); got != want {
			t.Errorf("singular(%s) = %s, want %s", in, got, want)
		}
	}
	n := names{}
	for _, tc := range []struct {
		f          viewField
		name, item string
	}{
		{viewField{name: "Label", field: field{label: optional}}, "Label", ""},
		{viewField{name: "Labels", field: field{label: mapped}}, "Labels", "LabelsEntry"},
		{viewField{name: "HasLabel", field: field{label: optional}}, "HasLabelField", ""},
	} {
		if err := n.claim(&tc.f); err != nil || tc.f.name != tc.name || tc.f.entry != tc.item {
			t.Errorf("got %s %q %v, want %s %q", tc.f.name, tc.f.entry, err, tc.name, tc.item)
		}
	}
}

// FuzzParseProto feeds the parser anything: it ends, and does not panic.
func FuzzParseProto(f *testing.F) {
	f.Add("syntax = \"proto2\"; package a; message M { optional string s = 1; }")
	f.Fuzz(func(_ *testing.T, text string) {
		_, _ = parseProto("t", text)
	})
}
