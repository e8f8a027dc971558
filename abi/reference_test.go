package abi_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/loopdock/loopdock/abi"
)

const descriptorFile = "testdata/loopdock.pb"

// codec is what every message of the ABI has.
type codec interface {
	Append(b []byte) []byte
	Decode(b []byte) error
}

// toplevel are the messages that cross the wall by themselves. All others are
// reached from them.
var toplevel = []codec{
	new(abi.Manifest), new(abi.Request), new(abi.Response), new(abi.Queries), new(abi.Answers),
}

// reference is protoc's reading of loopdock.proto.
var reference = sync.OnceValues(func() (protoreflect.FileDescriptor, error) {
	b, err := os.ReadFile(descriptorFile)
	if err != nil {
		return nil, err
	}
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(b, set); err != nil {
		return nil, err
	}
	return protodesc.NewFile(set.GetFile()[0], nil)
})

// newReference makes an empty message of the reference codec.
func newReference(tb testing.TB, name string) *dynamicpb.Message {
	tb.Helper()
	file, err := reference()
	if err != nil {
		tb.Fatal(err)
	}
	d := file.Messages().ByName(protoreflect.Name(name))
	if d == nil {
		tb.Fatalf("loopdock.proto has no message %s", name)
	}
	return dynamicpb.NewMessage(d)
}

// newOurs makes an empty message of ours.
func newOurs(tb testing.TB, typ reflect.Type) codec {
	tb.Helper()
	m, ok := reflect.TypeAssert[codec](reflect.New(typ))
	if !ok {
		tb.Fatalf("%s is no message", typ)
	}
	return m
}

// messages gives the Go types of all messages.
func messages() map[string]reflect.Type {
	out := map[string]reflect.Type{}
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || out[t.Name()] != nil {
			return
		}
		out[t.Name()] = t
		for f := range t.Fields() {
			walk(f.Type)
		}
	}
	for _, m := range toplevel {
		walk(reflect.TypeOf(m))
	}
	return out
}

// TestDescriptorIsCurrent: the committed descriptor is what protoc makes of the file.
func TestDescriptorIsCurrent(t *testing.T) {
	protoc, err := exec.LookPath("protoc")
	if err != nil {
		t.Skip("protoc is not on PATH (package protobuf-compiler)")
	}
	fresh := filepath.Join(t.TempDir(), "loopdock.pb")
	if msg, err := exec.CommandContext(t.Context(), protoc, "--descriptor_set_out="+fresh, "loopdock.proto").CombinedOutput(); err != nil {
		t.Fatalf("protoc: %v\n%s", err, msg)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(descriptorFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is stale: in abi, protoc --descriptor_set_out=%s loopdock.proto", descriptorFile, descriptorFile)
	}
}
