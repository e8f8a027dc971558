package view_test

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"github.com/loopdock/loopdock/abi/wire"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

func TestIntsReadBothPackings(t *testing.T) {
	b := wire.AppendUint(nil, 3, 5)
	b = wire.AppendBytes(b, 3, wire.AppendVarint(wire.AppendVarint(nil, 6), 1<<64-1))
	b = wire.AppendUint(b, 3, 8)
	if got := slices.Collect(view.Ints[int32](b, 3)); !slices.Equal(got, []int32{5, 6, -1, 8}) {
		t.Errorf("got %v", got)
	}
	if n := view.IntsLen(b, 3); n != 4 {
		t.Errorf("IntsLen is %d, want 4", n)
	}
	for v := range view.Ints[int64](b, 3) {
		if v == 6 {
			break // leaving inside a packed field must end the walk
		}
	}
	if got := slices.Collect(view.Ints[int32](wire.AppendBytes(nil, 3, []byte{1, 0x80}), 3)); !slices.Equal(got, []int32{1}) {
		t.Errorf("a cut packed field reads as %v", got)
	}
}

func TestZeroIsWrittenAndAbsentIsNot(t *testing.T) {
	spec := batchv1.JobSpec(nil)
	if spec.HasParallelism() || spec.Parallelism() != 0 {
		t.Error("the empty spec has parallelism")
	}
	spec = spec.WithParallelism(0).WithSuspend(false).WithManagedBy("")
	if !spec.HasParallelism() || !spec.HasSuspend() || !spec.HasManagedBy() {
		t.Errorf("explicit zeros are not written: %x", []byte(spec))
	}
	if spec = spec.WithoutParallelism().WithoutSuspend().WithoutManagedBy(); len(spec) != 0 {
		t.Errorf("removed fields leave %x", []byte(spec))
	}
	if got := spec.WithParallelism(-1).Parallelism(); got != -1 {
		t.Errorf("-1 reads back as %d", got)
	}
}

func TestMapEntriesStaySorted(t *testing.T) {
	m := metav1.ObjectMeta(nil).WithName("n").WithFinalizers("f")
	for _, key := range []string{"m", "z", "a", "m"} {
		m = m.WithLabel(key, key+"!")
	}
	if got := slices.Collect(maps.Keys(maps.Collect(m.Labels().All()))); len(got) != 3 {
		t.Errorf("keys %v", got)
	}
	var keys []string
	for k, v := range m.Labels().All() {
		if v != k+"!" {
			t.Errorf("%s is %s", k, v)
		}
		keys = append(keys, k)
	}
	if !slices.Equal(keys, []string{"a", "m", "z"}) {
		t.Errorf("keys stand as %v", keys)
	}
	whole := metav1.ObjectMeta(nil).WithFinalizers("f").
		WithLabels(view.StringMap{}.With("z", "z!").With("gone", "").With("a", "a!").With("m", "m!").Without("gone")).WithName("n")
	if !bytes.Equal(m, whole) {
		t.Errorf("entry by entry %x, whole %x", []byte(m), []byte(whole))
	}
	if m = m.WithLabels(view.StringMap{}); m.Labels().Len() != 0 || m.Name() != "n" {
		t.Errorf("an empty map leaves %x", []byte(m))
	}
}

func TestMalformedBytesAreCarriedAlong(t *testing.T) {
	broken := append(wire.AppendString(nil, 1, "name"), 0x7a, 9, 'c', 'u', 't')
	got := view.WithBytes(broken, 5, "uid")
	want := append(wire.AppendString(wire.AppendString(nil, 1, "name"), 5, "uid"), 0x7a, 9, 'c', 'u', 't')
	if !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func TestPaths(t *testing.T) {
	cases := map[string]struct {
		reason string
		path   view.Pather
		want   view.Path
	}{
		"root":    {"the object whole", corev1.PodFields, view.Path{}},
		"leaf":    {"numbers and names from the root", corev1.PodFields.Spec().NodeName(), view.Path{Numbers: []int32{2, 10}, Name: "spec.nodeName"}},
		"message": {"a step is a path too", corev1.PodFields.Status(), view.Path{Numbers: []int32{3}, Name: "status"}},
		"list":    {"paths go on through lists", corev1.PodFields.Spec().Containers().Image(), view.Path{Numbers: []int32{2, 2, 2}, Name: "spec.containers.image"}},
		"map":     {"the whole map", corev1.PodFields.Metadata().Labels(), view.Path{Numbers: []int32{1, 11}, Name: "metadata.labels"}},
		"entry":   {"one entry", corev1.PodFields.Metadata().Labels().Key("app"), view.Path{Numbers: []int32{1, 11}, Name: "metadata.labels", MapKey: "app"}},
		"inline":  {"an inlined message has no name in JSON", corev1.PodFields.Spec().Volumes().VolumeSource().Secret().SecretName(), view.Path{Numbers: []int32{2, 1, 2, 6, 1}, Name: "spec.volumes.secret.secretName"}},
		"time":    {"a time is one value", corev1.PodFields.Metadata().DeletionTimestamp(), view.Path{Numbers: []int32{1, 9}, Name: "metadata.deletionTimestamp"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := tc.path.Path()
			if !slices.Equal(got.Numbers, tc.want.Numbers) || got.Name != tc.want.Name || got.MapKey != tc.want.MapKey {
				t.Errorf("%s: got %+v, want %+v", tc.reason, got, tc.want)
			}
		})
	}
}
