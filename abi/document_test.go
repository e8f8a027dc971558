package abi_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

func document(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("ABI.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDocumentHasEveryName: what names.go makes a constant of, ABI.md names.
func TestDocumentHasEveryName(t *testing.T) {
	text := document(t)
	file, err := parser.ParseFile(token.NewFileSet(), "names.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.BasicLit)
		if !ok || v.Kind != token.STRING {
			return true
		}
		name, err := strconv.Unquote(v.Value)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "`"+name) {
			t.Errorf("ABI.md does not name `%s`", name)
		}
		return true
	})
}

// TestDocumentExplainsEnumerations: the values that a guest must tell apart are
// all explained.
func TestDocumentExplainsEnumerations(t *testing.T) {
	text := document(t)
	file, err := reference()
	if err != nil {
		t.Fatal(err)
	}
	for name, prefix := range map[protoreflect.Name]string{
		"AnswerStatus": "ANSWER_STATUS_", "Outcome": "OUTCOME_", "BatchMode": "BATCH_MODE_", "Verb": "VERB_", "QueryType": "QUERY_TYPE_", "KeyRule": "KEY_RULE_",
	} {
		values := file.Enums().ByName(name).Values()
		for i := range values.Len() {
			short := strings.TrimPrefix(string(values.Get(i).Name()), prefix)
			if short != "UNSPECIFIED" && !strings.Contains(text, "`"+short+"`") {
				t.Errorf("ABI.md does not explain %s", values.Get(i).Name())
			}
		}
	}
}

// TestDocumentSpeaksOfFieldsThatExist: what stands in ABI.md like a field is one.
func TestDocumentSpeaksOfFieldsThatExist(t *testing.T) {
	known := map[string]bool{
		// names that are no fields: those of WASI, of the ABI's parameters and of Go files
		"queries_len": true, "buffer_len": true, "message_len": true, "request_len": true, "poll_oneoff": true, "sched_yield": true,
	}
	file, err := reference()
	if err != nil {
		t.Fatal(err)
	}
	for i := range file.Messages().Len() {
		fields := file.Messages().Get(i).Fields()
		for j := range fields.Len() {
			known[string(fields.Get(j).Name())] = true
		}
	}
	wasi := regexp.MustCompile(`^((args|environ|clock|random|proc|fd|path)_|_|loopdock_|wasi_)`)
	for _, m := range regexp.MustCompile("`([a-z]*_[a-z_0-9]+)`").FindAllStringSubmatch(document(t), -1) {
		if !known[m[1]] && !wasi.MatchString(m[1]) {
			t.Errorf("ABI.md speaks of `%s`, which is no field", m[1])
		}
	}
}
