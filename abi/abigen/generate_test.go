package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestGeneratedIsCurrent: the committed code is what the generator makes of the
// committed messages.
func TestGeneratedIsCurrent(t *testing.T) {
	src, err := os.ReadFile("../loopdock.proto")
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(string(src))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../zz_generated.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("abi/zz_generated.go is stale: go generate ./abi")
	}
}

// TestGenerateRefuses what it would otherwise translate into something else.
func TestGenerateRefuses(t *testing.T) {
	cases := map[string]struct {
		reason string
		src    string
		want   string
	}{
		"map":          {"maps have no order, and two writers would differ", "message M {\n  map<string, string> m = 1;\n}", `line 2: not a field: "  map<string, string> m = 1;"`},
		"nested":       {"nested messages are not read", "message M {\n  message N {\n  }\n}", `line 2: not a field: "  message N {"`},
		"oneof":        {"oneofs are not read", "message M {\n  oneof o {", `line 2: not a field: "  oneof o {"`},
		"unknown type": {"a type that is declared nowhere", "message M {\n  Missing m = 1;\n}", "message M: field m: unknown type Missing"},
		"sint32":       {"zigzag numbers have no codec here", "message M {\n  sint32 m = 1;\n}", "message M: field m: unknown type sint32"},
		"open":         {"a file that is cut short", "message M {", "the file ends inside a message"},
		"enum value":   {"an option on a value", "enum E {\n  A = 0 [deprecated = true];\n}", `line 2: not an enum value: "  A = 0 [deprecated = true];"`},
		"import":       {"other files are not read", `import "other.proto";`, `line 1: not a declaration: "import \"other.proto\";"`},
		"huge number":  {"a number that no field can have", "message M {\n  string m = 99999999999999999999;\n}", "value out of range"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := generate(tc.src)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: got %v, want %s", tc.reason, err, tc.want)
			}
		})
	}
}

// TestGoNames: initials are written as Go writes them.
func TestGoNames(t *testing.T) {
	for in, want := range map[string]string{
		"name": "Name", "api_version": "APIVersion", "observed_ns": "ObservedNS", "owner_uid": "OwnerUID", "outcome_ok": "OutcomeOK",
	} {
		if got := camel(in); got != want {
			t.Errorf("camel(%q) = %q, want %q", in, got, want)
		}
	}
}
