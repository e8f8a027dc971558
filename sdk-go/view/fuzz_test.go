package view_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/loopdock/loopdock/abi/wire"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// FuzzAccessors calls everything that can be read from a Pod of arbitrary
// bytes: nothing may panic or run on for ever.
func FuzzAccessors(f *testing.F) {
	f.Add([]byte(samplePod()))
	f.Add([]byte{0x0a, 5, 1})
	f.Add([]byte{0x0a, 2, 0x08, 0x80})
	f.Fuzz(func(t *testing.T, b []byte) {
		before := bytes.Clone(b)
		readAll(reflect.ValueOf(corev1.Pod(b)), 12)
		if !bytes.Equal(b, before) {
			t.Fatal("reading changed the bytes")
		}
	})
}

// readers are the indexes of the methods of a view that only read.
var readers = map[reflect.Type][]int{}

func readersOf(typ reflect.Type) []int {
	if found, ok := readers[typ]; ok {
		return found
	}
	found := []int{}
	for i := range typ.NumMethod() {
		if m := typ.Method(i); m.Type.NumIn() == 1 && m.Type.NumOut() == 1 && !strings.HasPrefix(m.Name, "Without") {
			found = append(found, i)
		}
	}
	readers[typ] = found
	return found
}

func readAll(v reflect.Value, depth int) {
	if depth == 0 || v.Kind() != reflect.Slice || v.Len() == 0 {
		return
	}
	for _, i := range readersOf(v.Type()) {
		switch got := v.Method(i).Call(nil)[0]; got.Kind() { //nolint:exhaustive // the rest has nothing to go into
		case reflect.Func:
			for e := range got.Seq() {
				readAll(e, depth-1)
			}
		case reflect.Struct:
			if all := got.MethodByName("All"); all.IsValid() {
				for _, e := range all.Call(nil)[0].Seq2() {
					readAll(e, depth-1)
				}
			}
		case reflect.Slice:
			readAll(got, depth-1)
		}
	}
}

// FuzzEdits holds every edit of arbitrary bytes to its contract: what was set
// reads back, and the other fields stay as they were.
func FuzzEdits(f *testing.F) {
	f.Add([]byte{0x0a, 1, 'x', 0x10, 0x80, 1, 0x1a, 3, 0x0a, 1, 'k'}, 3, "k", "v")
	f.Add([]byte{0x0a, 2, 0x80, 0x80, 0x08}, 1, "", "")
	f.Fuzz(func(t *testing.T, b []byte, field int, key, value string) {
		if field < 1 || field > wire.MaxField {
			return
		}
		edits := map[string][]byte{
			"set":          view.WithBytes(b, field, value),
			"int":          view.WithInt(b, field, int64(len(value))),
			"remove":       view.Without(b, field),
			"list":         view.WithList(b, field, []string{key, value}),
			"append":       view.Append(b, field, []string{value}),
			"ints":         view.AppendInts(b, field, []int32{7, -7}),
			"entry":        view.WithEntry(b, field, key, value),
			"remove entry": view.WithoutEntry(b, field, key),
		}
		rest := view.Without(b, field)
		for name, out := range edits {
			if got := view.Without(out, field); !bytes.Equal(got, rest) {
				t.Errorf("%s: the rest is %x, was %x", name, got, rest)
			}
		}
		if got := view.String(edits["set"], field); got != value {
			t.Errorf("set reads back as %q, want %q", got, value)
		}
		if n := view.Len(edits["append"], field); n != view.Len(b, field)+1 {
			t.Errorf("append makes %d elements of %d", n, view.Len(b, field))
		}
		if got, ok := view.NewMap[string](edits["entry"], field).Get(key); !ok || got != value {
			t.Errorf("entry reads back as %q %v, want %q", got, ok, value)
		}
		if view.NewMap[string](edits["remove entry"], field).Has(key) {
			t.Error("a removed entry is still there")
		}
	})
}
