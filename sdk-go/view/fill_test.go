package view_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	quantity "k8s.io/apimachinery/pkg/api/resource"
	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"
	runtimeapi "k8s.io/apimachinery/pkg/runtime"
	intstrapi "k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
)

// fill returns a random object of an upstream type, as it is after a round trip.
func fill(typ reflect.Type, seed int64) object {
	f := randfill.NewWithSeed(seed).NilChance(0.3).NumElements(0, 3).MaxDepth(12).Funcs(
		func(q *quantity.Quantity, c randfill.Continue) {
			*q = quantity.MustParse(fmt.Sprintf("%dm", c.Int63n(5000)))
		},
		func(m *metaapi.Time, c randfill.Continue) {
			if c.Bool() {
				m.Time = time.Unix(c.Int63n(1<<33), 0)
			}
		},
		func(m *metaapi.MicroTime, c randfill.Continue) { m.Time = time.UnixMicro(c.Int63n(1 << 50)) },
		func(v *intstrapi.IntOrString, c randfill.Continue) {
			*v = intstrapi.FromInt32(c.Int31())
			if c.Bool() {
				*v = intstrapi.FromString(c.String(8))
			}
		},
		func(r *runtimeapi.RawExtension, c randfill.Continue) { r.Raw = []byte(c.String(9)) },
		func(v *metaapi.FieldsV1, c randfill.Continue) { v.SetRawString(c.String(9)) },
	)
	v := reflect.New(typ)
	f.Fill(v.Interface())
	obj, _ := reflect.TypeAssert[object](v)
	return obj
}

// decoded is obj after a round trip through upstream's encoding.
func decoded[T any, P interface {
	*T
	object
}](t *testing.T, obj P) P {
	t.Helper()
	b, err := obj.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	out := P(new(T))
	if err := out.Unmarshal(b); err != nil {
		t.Fatal(err)
	}
	return out
}
