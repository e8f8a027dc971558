package view_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	coreapi "k8s.io/api/core/v1"
	quantity "k8s.io/apimachinery/pkg/api/resource"
	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi/wire"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// shuffled gives the fields of a message in another order; those of one number
// keep theirs.
func shuffled(b []byte, random *rand.Rand) []byte {
	var numbers []int
	raw := map[int][]byte{}
	for r := wire.NewReader(b); r.Next(); {
		if raw[r.Field()] == nil {
			numbers = append(numbers, r.Field())
		}
		raw[r.Field()] = append(raw[r.Field()], r.Raw()...)
	}
	random.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	var out []byte
	for _, n := range numbers {
		out = append(out, raw[n]...)
	}
	return out
}

// TestCanonicalForgetsTheOrder holds that the order of fields does not count,
// at any depth, and that nothing else is lost.
func TestCanonicalForgetsTheOrder(t *testing.T) {
	for seed := range int64(200) {
		obj := fill(reflect.TypeFor[coreapi.PodTemplateSpec](), seed)
		b, err := obj.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(1, uint64(seed)))
		m := corev1.PodTemplateSpec(b)
		spec := m.Spec()
		var containers []corev1.Container
		for c := range spec.Containers() {
			c = c.WithSecurityContext(shuffled(c.SecurityContext(), random)).WithResources(shuffled(c.Resources(), random))
			containers = append(containers, shuffled(c, random))
		}
		plain := m.WithSpec(spec.WithContainers(resecured(spec)...))
		other := shuffled(m.WithMetadata(shuffled(m.Metadata(), random)).WithSpec(shuffled(spec.WithContainers(containers...), random)), random)
		if !bytes.Equal(plain.Canonical(), corev1.PodTemplateSpec(other).Canonical()) {
			t.Fatalf("seed %d: the order counts", seed)
		}
		var before, after coreapi.PodTemplateSpec
		if err := before.Unmarshal(plain); err != nil {
			t.Fatal(err)
		}
		numbers := cmp.Comparer(func(a, b quantity.Quantity) bool { return a.Cmp(b) == 0 })
		if err := after.Unmarshal(plain.Canonical()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after, numbers, cmp.Comparer(func(a, b metaapi.Time) bool { return a.Equal(&b) })); diff != "" {
			t.Fatalf("seed %d: something is lost (-before +after):\n%s", seed, diff)
		}
		if twice := plain.Canonical().Canonical(); !bytes.Equal(twice, plain.Canonical()) {
			t.Fatalf("seed %d: it is not final", seed)
		}
	}
}

// resecured gives the containers with the messages that the test sets set.
func resecured(spec corev1.PodSpec) []corev1.Container {
	var out []corev1.Container
	for c := range spec.Containers() {
		out = append(out, c.WithSecurityContext(c.SecurityContext()).WithResources(c.Resources()))
	}
	return out
}

// TestCanonicalTellsApart holds what counts.
func TestCanonicalTellsApart(t *testing.T) {
	labels := func(pairs ...string) corev1.PodTemplateSpec {
		var entries []byte
		for i := 0; i < len(pairs); i += 2 {
			entries = wire.AppendMessage(entries, 11, func(b []byte) []byte {
				return wire.AppendRawString(wire.AppendRawString(b, 1, pairs[i]), 2, pairs[i+1])
			})
		}
		return corev1.PodTemplateSpec(nil).WithMetadata(entries)
	}
	requests := func(cpu string) corev1.PodTemplateSpec {
		q := wire.AppendRawString(nil, 1, cpu)
		r := corev1.ResourceRequirements(nil).WithRequest("cpu", q)
		return corev1.PodTemplateSpec(nil).WithSpec(corev1.PodSpec(nil).WithContainers(corev1.Container(nil).WithResources(r)))
	}
	containers := func(names ...string) corev1.PodTemplateSpec {
		var list []corev1.Container
		for _, name := range names {
			list = append(list, corev1.Container(nil).WithName(name))
		}
		return corev1.PodTemplateSpec(nil).WithSpec(corev1.PodSpec(nil).WithContainers(list...))
	}
	newer := func(m corev1.PodTemplateSpec) corev1.PodTemplateSpec { return wire.AppendRawString(m, 1000, "new") }
	cases := map[string]struct {
		reason string
		a, b   corev1.PodTemplateSpec
		equal  bool
	}{
		"order of labels":   {"a map has none", labels("a", "1", "b", "2"), labels("b", "2", "a", "1"), true},
		"labels":            {"are what they are", labels("a", "1"), labels("a", "2"), false},
		"order in lists":    {"counts", containers("a", "b"), containers("b", "a"), false},
		"spelling":          {"one quantity is one quantity", requests("1"), requests("1000m"), true},
		"quantities":        {"of another size", requests("1"), requests("2"), false},
		"a field unknown":   {"counts", containers("a"), newer(containers("a")), false},
		"the same unknown":  {"is the same", newer(containers("a")), newer(containers("a")), true},
		"absent and empty":  {"differ: a pointer is one or the other", containers("a"), containers("a").WithMetadata(nil), false},
		"malformed at last": {"is kept", append(containers("a"), 0xff), containers("a"), false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := bytes.Equal(tc.a.Canonical(), tc.b.Canonical()); got != tc.equal {
				t.Errorf("%s: equal is %v", tc.reason, got)
			}
		})
	}
}

func FuzzCanonical(f *testing.F) {
	f.Add([]byte{0x0a, 0x00})
	f.Fuzz(func(t *testing.T, b []byte) {
		once := corev1.PodTemplateSpec(b).Canonical()
		if twice := once.Canonical(); !bytes.Equal(once, twice) {
			t.Errorf("%x became %x and then %x", b, once, twice)
		}
		if s := view.Canonical(b, nil); len(s) != len(b) {
			t.Errorf("%x became %x without a shape", b, s)
		}
	})
}
