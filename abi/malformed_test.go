package abi_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

// TestEveryCutIsFound: a message that ends early is an error, unless it ends
// between two fields.
func TestEveryCutIsFound(t *testing.T) {
	for name, typ := range messages() {
		m := newOurs(t, typ)
		newRandom(3).ours(reflect.ValueOf(m).Elem(), 0)
		b := m.Append(nil)
		for n := range b {
			err := newOurs(t, typ).Decode(b[:n:n])
			if whole := wire.Valid(b[:n]) == nil; (err == nil) != whole {
				t.Fatalf("%s cut to %d of %d bytes: %v", name, n, len(b), err)
			}
		}
	}
}

// TestEveryFieldRefusesAnotherWireType, and the error names message and field.
func TestEveryFieldRefusesAnotherWireType(t *testing.T) {
	file, err := reference()
	if err != nil {
		t.Fatal(err)
	}
	for name, typ := range messages() {
		fields := file.Messages().ByName(protoreflect.Name(name)).Fields()
		for i := range fields.Len() {
			f := fields.Get(i)
			b := otherType(f)
			err := newOurs(t, typ).Decode(b)
			fault := new(abi.FieldError)
			switch {
			case !errors.As(err, &fault):
				t.Errorf("%s.%s takes %x: %v", name, f.Name(), b, err)
			case fault.Message != name || fault.Field != int(f.Number()) || !errors.Is(err, wire.ErrMismatch):
				t.Errorf("%s.%s is refused with %v", name, f.Name(), err)
			}
		}
	}
}

// otherType encodes a field as what it is not.
func otherType(f protoreflect.FieldDescriptor) []byte {
	n := int(f.Number())
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.StringKind, protoreflect.BytesKind, protoreflect.DoubleKind:
		return wire.AppendUint(nil, n, 1)
	default:
		return wire.AppendFixed64(nil, n, 1)
	}
}

// TestErrorLeadsToTheField, through the messages that it lies in.
func TestErrorLeadsToTheField(t *testing.T) {
	key := wire.AppendUint(nil, 4, 1)       // name as a number
	req := wire.AppendRawBytes(nil, 2, key) // key
	err := new(abi.Request).Decode(req)
	want := "cannot decode Request, field 2: cannot decode Key, field 4: malformed protobuf: a field has another wire type than declared"
	if err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}

// TestPackedElementsAreChecked: a malformed one ends the message.
func TestPackedElementsAreChecked(t *testing.T) {
	cases := map[string]struct {
		m      codec
		in     []byte
		reason string
	}{
		"varint cut": {new(abi.FieldPath), []byte{0x0a, 2, 1, 0x80}, "ends inside a field"},
		"too long":   {new(abi.FieldPath), append([]byte{0x0a, 11}, []byte(strings.Repeat("\xff", 11))...), "longer than 64 bits"},
		"double cut": {new(abi.Metric), []byte{0x2a, 7, 1, 2, 3, 4, 5, 6, 7}, "ends inside a field"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if err := tc.m.Decode(tc.in); err == nil || !strings.Contains(err.Error(), tc.reason) {
				t.Errorf("got %v, want %q", err, tc.reason)
			}
		})
	}
}

// TestDepthIsBounded: no message can lie within itself, so that bytes from the
// other side can't make the decoder recurse.
func TestDepthIsBounded(t *testing.T) {
	var depth func(reflect.Type, []reflect.Type) int
	depth = func(typ reflect.Type, in []reflect.Type) int {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return 0
		}
		deepest := 0
		for _, outer := range in {
			if outer == typ {
				t.Fatalf("%s lies within itself", typ)
			}
		}
		for f := range typ.Fields() {
			deepest = max(deepest, depth(f.Type, append(in, typ)))
		}
		return deepest + 1
	}
	for _, m := range toplevel {
		if n := depth(reflect.TypeOf(m), nil); n > 6 {
			t.Errorf("%T nests %d deep", m, n)
		}
	}
}
