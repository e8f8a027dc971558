package abi_test

import (
	"math"
	"math/rand/v2"
	"reflect"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
)

// deepest is how many messages lie within one another in a random message.
const deepest = 4

// random fills messages with what a seed gives. Defaults, extremes and values of
// every length in bytes are frequent.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 0))} }

func (r random) number() uint64 {
	switch r.IntN(8) {
	case 0:
		return 0
	case 1:
		return math.MaxUint64
	case 2:
		return 1 << 63
	default:
		return r.Uint64() >> r.IntN(64)
	}
}

func (r random) double() float64 {
	values := []float64{0, math.Copysign(0, -1), 1, -1.5, math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64}
	return values[r.IntN(len(values))]
}

func (r random) text() string {
	values := []string{"", "a", "kube-system", "größe", "日本語", "a\x00b", "\U0001F6E5", string(make([]byte, 200))}
	return values[r.IntN(len(values))]
}

func (r random) bytes() []byte {
	b := make([]byte, r.IntN(4)*r.IntN(100))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// ours fills a message of ours. Empty slices stay nil, as decoding leaves them.
func (r random) ours(v reflect.Value, depth int) {
	switch v.Kind() { //nolint:exhaustive // these are all that messages have
	case reflect.Struct:
		for _, f := range v.Fields() {
			r.ours(f, depth)
		}
	case reflect.Pointer:
		if r.IntN(2) == 0 && (depth < deepest || v.Type().Elem().Kind() != reflect.Struct) {
			v.Set(reflect.New(v.Type().Elem()))
			r.ours(v.Elem(), depth+1)
		}
	case reflect.Slice:
		r.slice(v, depth)
	case reflect.String:
		v.SetString(r.text())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Float64:
		v.SetFloat(r.double())
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(r.number()))
	case reflect.Uint32:
		v.SetUint(r.number() & math.MaxUint32)
	case reflect.Uint64:
		v.SetUint(r.number())
	}
}

func (r random) slice(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[[]byte]() {
		if b := r.bytes(); len(b) > 0 {
			v.SetBytes(b)
		}
		return
	}
	n := r.IntN(4)
	if n == 0 || depth >= deepest && v.Type().Elem().Kind() == reflect.Struct {
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for i := range n {
		r.ours(v.Index(i), depth+1)
	}
}

// reference fills a message of the reference codec.
func (r random) reference(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		n := 1
		if f.IsList() {
			n = r.IntN(4)
		}
		if r.IntN(2) == 0 || n == 0 || depth >= deepest && f.Kind() == protoreflect.MessageKind {
			continue
		}
		if !f.IsList() {
			m.Set(f, r.value(f, depth))
			continue
		}
		list := m.Mutable(f).List()
		for range n {
			list.Append(r.value(f, depth))
		}
	}
}

func (r random) value(f protoreflect.FieldDescriptor, depth int) protoreflect.Value {
	switch f.Kind() {
	case protoreflect.MessageKind:
		m := dynamicpb.NewMessage(f.Message())
		r.reference(m, depth+1)
		return protoreflect.ValueOfMessage(m)
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(r.text())
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(r.bytes())
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(r.IntN(2) == 0)
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(r.double())
	case protoreflect.Int32Kind:
		return protoreflect.ValueOfInt32(int32(r.number()))
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(int64(r.number()))
	case protoreflect.Uint32Kind:
		return protoreflect.ValueOfUint32(uint32(r.number()))
	case protoreflect.EnumKind:
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(r.number() & math.MaxInt32))
	default:
		return protoreflect.ValueOfUint64(r.number())
	}
}
