package abi_test

import (
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// goKinds gives the Go kind of each scalar.
var goKinds = map[protoreflect.Kind]reflect.Kind{
	protoreflect.StringKind: reflect.String, protoreflect.BoolKind: reflect.Bool, protoreflect.DoubleKind: reflect.Float64,
	protoreflect.Int32Kind: reflect.Int32, protoreflect.Int64Kind: reflect.Int64,
	protoreflect.Uint32Kind: reflect.Uint32, protoreflect.Uint64Kind: reflect.Uint64, protoreflect.EnumKind: reflect.Uint32,
}

// TestEveryMessageHasItsStruct: the structs have the messages' fields, in their
// order, each of the type that protoc reads.
func TestEveryMessageHasItsStruct(t *testing.T) {
	file, err := reference()
	if err != nil {
		t.Fatal(err)
	}
	ours := messages()
	if len(ours) != file.Messages().Len() {
		t.Errorf("%d messages are reached from the ones that cross the wall, and loopdock.proto has %d", len(ours), file.Messages().Len())
	}
	for i := range file.Messages().Len() {
		d := file.Messages().Get(i)
		typ, ok := ours[string(d.Name())]
		if !ok {
			t.Errorf("there is no struct for message %s", d.Name())
			continue
		}
		if typ.NumField() != d.Fields().Len() {
			t.Errorf("%s has %d fields, and the message has %d", typ.Name(), typ.NumField(), d.Fields().Len())
			continue
		}
		for j := range d.Fields().Len() {
			checkField(t, typ.Name(), typ.Field(j), d.Fields().Get(j))
		}
	}
}

func checkField(t *testing.T, message string, f reflect.StructField, d protoreflect.FieldDescriptor) {
	t.Helper()
	if want := strings.ReplaceAll(string(d.Name()), "_", ""); !strings.EqualFold(f.Name, want) {
		t.Errorf("%s.%s stands where the message has %s", message, f.Name, d.Name())
	}
	typ := f.Type
	if d.IsList() {
		if typ.Kind() != reflect.Slice {
			t.Errorf("%s.%s is %s, and the field is repeated", message, f.Name, f.Type)
			return
		}
		typ = typ.Elem()
	}
	if d.HasPresence() {
		if typ.Kind() != reflect.Pointer {
			t.Errorf("%s.%s is %s, and it matters whether the field is there", message, f.Name, f.Type)
			return
		}
		typ = typ.Elem()
	}
	switch d.Kind() {
	case protoreflect.MessageKind:
		if typ.Name() != string(d.Message().Name()) {
			t.Errorf("%s.%s is %s, and the field is %s", message, f.Name, f.Type, d.Message().Name())
		}
	case protoreflect.BytesKind:
		if typ != reflect.TypeFor[[]byte]() {
			t.Errorf("%s.%s is %s, and the field is bytes", message, f.Name, f.Type)
		}
	default:
		if typ.Kind() != goKinds[d.Kind()] {
			t.Errorf("%s.%s is %s, and the field is %s", message, f.Name, f.Type, d.Kind())
		}
	}
}
