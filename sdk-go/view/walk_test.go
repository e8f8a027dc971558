package view_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	quantity "k8s.io/apimachinery/pkg/api/resource"
	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// compareMessage compares every field of an upstream struct with what the view
// reads.
func compareMessage(t *testing.T, at string, v, want reflect.Value) {
	t.Helper()
	switch w := want.Interface().(type) {
	case metaapi.Time:
		if got, _ := reflect.TypeAssert[time.Time](v.MethodByName("Time").Call(nil)[0]); !got.Equal(w.Time) {
			t.Fatalf("%s: got %v, want %v", at, got, w)
		}
		return
	case metaapi.MicroTime:
		if got, _ := reflect.TypeAssert[time.Time](v.MethodByName("Time").Call(nil)[0]); !got.Equal(w.Time) {
			t.Fatalf("%s: got %v, want %v", at, got, w)
		}
		return
	case quantity.Quantity:
		if got := v.MethodByName("String").Call(nil)[0].String(); got != w.String() && (v.Len() > 0 || !w.IsZero()) {
			t.Fatalf("%s: got %s, want %s", at, got, w.String())
		}
		return
	}
	if want.Kind() == reflect.Slice { // a message that upstream has as a plain list
		compareField(t, at, v, "Items", want)
		return
	}
	for i := range want.NumField() {
		if name := methodName(want.Type().Field(i)); name != "" {
			compareField(t, at+"."+name, v, name, want.Field(i))
		}
	}
}

// methodName is the accessor of an upstream struct's field.
func methodName(f reflect.StructField) string {
	if !strings.Contains(f.Tag.Get("protobuf"), "name=") {
		return ""
	}
	if json, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.Anonymous && json != "" {
		return strings.ToUpper(json[:1]) + json[1:]
	}
	return f.Name
}

func compareField(t *testing.T, at string, v reflect.Value, name string, want reflect.Value) {
	t.Helper()
	method := v.MethodByName(name)
	if !method.IsValid() {
		t.Fatalf("%s: %s has no such accessor", at, v.Type())
	}
	got := method.Call(nil)[0]
	if want.Kind() == reflect.Pointer {
		if has := v.MethodByName("Has" + name).Call(nil)[0].Bool(); has == want.IsNil() {
			t.Fatalf("%s: Has says %v", at, has)
		}
		if want.IsNil() {
			want = reflect.Zero(want.Type().Elem())
		} else {
			want = want.Elem()
		}
	}
	switch {
	case want.Kind() == reflect.Map:
		if n := got.MethodByName("Len").Call(nil)[0].Int(); n != int64(want.Len()) {
			t.Fatalf("%s: %d entries, want %d", at, n, want.Len())
		}
		for _, key := range want.MapKeys() {
			found := got.MethodByName("Get").Call([]reflect.Value{key.Convert(reflect.TypeFor[string]())})
			if !found[1].Bool() {
				t.Fatalf("%s[%s] is missing", at, key)
			}
			compareValue(t, at+"["+key.String()+"]", found[0], want.MapIndex(key))
		}
	case got.Kind() == reflect.Func:
		n := 0
		for e := range got.Seq() {
			compareValue(t, fmt.Sprintf("%s[%d]", at, n), e, want.Index(n))
			n++
		}
		if length := v.MethodByName(name + "Len").Call(nil)[0].Int(); n != want.Len() || length != int64(n) {
			t.Fatalf("%s: walked %d elements, Len says %d, want %d", at, n, length, want.Len())
		}
	default:
		compareValue(t, at, got, want)
	}
}

func compareValue(t *testing.T, at string, got, want reflect.Value) {
	t.Helper()
	same := true
	switch want.Kind() {
	case reflect.String:
		same = got.String() == want.String()
	case reflect.Bool:
		same = got.Bool() == want.Bool()
	case reflect.Int32, reflect.Int64:
		same = got.Int() == want.Int()
	case reflect.Slice:
		if want.Type().Elem().Kind() != reflect.Uint8 {
			compareMessage(t, at, got, want)
			return
		}
		same = string(got.Bytes()) == string(want.Bytes())
	default:
		compareMessage(t, at, got, want)
	}
	if !same {
		t.Fatalf("%s: got %v, want %v", at, got, want)
	}
}

// rebuild sets every field that v has in a new message, in random order.
func rebuild(t *testing.T, rng *rand.Rand, v reflect.Value) reflect.Value {
	t.Helper()
	out := reflect.Zero(v.Type())
	var fields []string
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if field, ok := strings.CutPrefix(name, "With"); ok && v.MethodByName(field).IsValid() {
			fields = append(fields, field)
		}
	}
	rng.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	for _, name := range fields {
		got := v.MethodByName(name).Call(nil)[0]
		with := out.MethodByName("With" + name)
		switch {
		case got.Kind() == reflect.Func:
			list := reflect.MakeSlice(with.Type().In(0), 0, 4)
			for e := range got.Seq() {
				list = reflect.Append(list, rebuildValue(t, rng, e))
			}
			out = with.CallSlice([]reflect.Value{list})[0]
		case !v.MethodByName("Has" + name).IsValid():
			out = with.Call([]reflect.Value{got})[0]
		case v.MethodByName("Has" + name).Call(nil)[0].Bool():
			out = with.Call([]reflect.Value{rebuildValue(t, rng, got)})[0]
		}
	}
	return out
}

func rebuildValue(t *testing.T, rng *rand.Rand, v reflect.Value) reflect.Value {
	t.Helper()
	if v.Kind() == reflect.Slice && v.NumMethod() > 0 {
		return rebuild(t, rng, v)
	}
	return v
}
