package abi_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protopath"
	"google.golang.org/protobuf/reflect/protorange"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/loopdock/loopdock/abi"
)

var update = flag.Bool("update", false, "write the golden messages anew from their texts")

const goldenDir = "../testdata/messages"

// golden are the kinds of golden messages, by what their files' names begin with.
// Each is a text, NAME.txtpb, and what it encodes to, NAME.binpb: any codec of the
// ABI, in whichever language, must read one and write the other.
var golden = map[string]codec{
	"manifest": new(abi.Manifest), "request": new(abi.Request), "response": new(abi.Response),
	"queries": new(abi.Queries), "answers": new(abi.Answers), "result": new(abi.Result),
}

func TestGoldenMessages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goldenDir, "*.txtpb"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden messages: %v", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtpb"), "-")
		seen[kind] = true
		t.Run(filepath.Base(file), func(t *testing.T) {
			if golden[kind] == nil {
				t.Fatalf("there is no kind of message %q", kind)
			}
			testGolden(t, file, reflect.TypeOf(golden[kind]).Elem())
		})
	}
	for kind := range golden {
		if !seen[kind] {
			t.Errorf("there is no golden %s", kind)
		}
	}
}

func testGolden(t *testing.T, file string, typ reflect.Type) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	theirs := newReference(t, typ.Name())
	if err := prototext.Unmarshal(text, theirs); err != nil {
		t.Fatal(err)
	}
	encoded := marshal(t, theirs)
	out := strings.TrimSuffix(file, ".txtpb") + ".binpb"
	if *update {
		if err := os.WriteFile(out, encoded, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encoded, want) {
		t.Errorf("%s is not what the text says: go test ./abi -update", out)
	}
	m := newOurs(t, typ)
	if err := m.Decode(want); err != nil {
		t.Fatal(err)
	}
	if got := m.Append(nil); !bytes.Equal(got, want) {
		t.Errorf("read and written again it is\n%x\nand should be\n%x", got, want)
	}
}

// TestGoldenMessagesHaveEveryField: each field of the ABI is set in one of them.
func TestGoldenMessagesHaveEveryField(t *testing.T) {
	seen := map[protoreflect.FullName]bool{}
	files, err := filepath.Glob(filepath.Join(goldenDir, "*.binpb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		kind, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".binpb"), "-")
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := newReference(t, reflect.TypeOf(golden[kind]).Elem().Name())
		if err := proto.Unmarshal(b, m); err != nil {
			t.Fatal(err)
		}
		err = protorange.Range(m, func(p protopath.Values) error {
			if f := p.Index(-1).Step; f.Kind() == protopath.FieldAccessStep {
				seen[f.FieldDescriptor().FullName()] = true
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	d, err := reference()
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Messages().Len() {
		fields := d.Messages().Get(i).Fields()
		for j := range fields.Len() {
			if name := fields.Get(j).FullName(); !seen[name] {
				t.Errorf("no golden message has %s", name)
			}
		}
	}
}
