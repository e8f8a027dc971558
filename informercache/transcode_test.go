package informercache

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/randfill"

	"github.com/loopdock/loopdock/abi/wire"
)

func TestTranscodeIsUpstreamsEncoding(t *testing.T) {
	replicas := int32(2)
	set := &appsv1.StatefulSet{
		ObjectMeta: metav1.ObjectMeta{Name: "s", Namespace: "n", UID: "u", ResourceVersion: "1"},
		Spec:       appsv1.StatefulSetSpec{Replicas: &replicas, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c"}}}}},
	}
	want, err := runtime.Encode(scheme.Codecs.LegacyCodec(appsv1.SchemeGroupVersion), set.DeepCopy())
	if err != nil {
		t.Fatal(err)
	}
	tr := NewTranscoder(1 << 20)
	o := object(t, set, newInterner())
	for range 2 {
		got, err := tr.JSON(appsv1.SchemeGroupVersion.WithKind("StatefulSet"), o)
		if err != nil || string(got) != string(want) {
			t.Errorf("got %s %v, want %s", got, err, want)
		}
	}
	meta := object(t, &metav1.PartialObjectMetadata{ObjectMeta: set.ObjectMeta}, newInterner())
	got, err := tr.JSON(partialMetadata, meta)
	if err != nil || !strings.HasPrefix(string(got), `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"s"`) {
		t.Errorf("metadata becomes %s %v", got, err)
	}
	json := &Object{encoding: JSON, raw: []byte("{}")}
	if got, err := tr.JSON(partialMetadata, json); err != nil || string(got) != "{}" {
		t.Errorf("JSON becomes %s %v", got, err)
	}
}

func TestTranscodeNamesUnknownFields(t *testing.T) {
	raw, err := (&corev1.Pod{Spec: corev1.PodSpec{NodeName: "n"}}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	newer := func(path ...int) []byte {
		field := wire.AppendString(nil, 999, "new")
		for _, p := range path {
			field = wire.AppendBytes(nil, p, field)
		}
		return append(append([]byte{}, raw...), field...)
	}
	cases := map[string]struct {
		reason string
		raw    []byte
		want   string
	}{
		"top":    {"a part that is new", newer(), "field number 999"},
		"nested": {"a field of a repeated message", newer(2, 2), "spec.containers.field number 999"},
		"deep":   {"a field behind an inlined struct", newer(2, 2, 1, 2), "spec.volumes.volumeSource.emptyDir.field number 999"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := NewTranscoder(1<<20).JSON(corev1.SchemeGroupVersion.WithKind("Pod"), &Object{encoding: Protobuf, raw: tc.raw, uid: "u"})
			if !errors.Is(err, ErrUnknownField) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: %v, want %s", tc.reason, err, tc.want)
			}
		})
	}
	if _, err := NewTranscoder(1).JSON(corev1.SchemeGroupVersion.WithKind("None"), &Object{encoding: Protobuf}); err == nil {
		t.Error("an unknown kind became JSON")
	}
}

// TestEveryFieldOfEveryKindIsKnown fills in all types of the scheme at random.
func TestEveryFieldOfEveryKindIsKnown(t *testing.T) {
	fill := randfill.NewWithSeed(1).NilChance(0.1).NumElements(1, 2).MaxDepth(12).Funcs(
		func(q *resource.Quantity, _ randfill.Continue) { *q = resource.MustParse("3Mi") },
		func(t *metav1.Time, _ randfill.Continue) { *t = metav1.Unix(1700000000, 0) },
		func(t *metav1.MicroTime, _ randfill.Continue) { *t = metav1.NewMicroTime(epoch) },
		func(v *intstr.IntOrString, _ randfill.Continue) { *v = intstr.FromString("50%") },
		func(e *runtime.RawExtension, _ randfill.Continue) { e.Raw = []byte("{}") },
		func(e *metav1.FieldsV1, _ randfill.Continue) { e.SetRawString("{}") },
	)
	kinds := 0
	for gvk, typ := range scheme.Scheme.AllKnownTypes() {
		obj, ok := reflect.TypeAssert[interface {
			unmarshaler
			Marshal() ([]byte, error)
		}](reflect.New(typ))
		if !ok || strings.HasSuffix(gvk.Kind, "List") {
			continue
		}
		fill.Fill(obj)
		raw, err := obj.Marshal()
		if err != nil {
			t.Errorf("%s: %v", gvk, err)
			continue
		}
		kinds++
		if path := unknownField(obj, raw); path != "" {
			t.Errorf("%s: %s", gvk, path)
		}
	}
	if kinds < 100 {
		t.Errorf("only %d kinds", kinds)
	}
}

func TestTranscoderIsBoundedInBytes(t *testing.T) {
	const limit = 20000
	tr := NewTranscoder(limit)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() { // the test waits for it
			for i := range 200 {
				o := pod(t, "n", fmt.Sprint("p", (g+i)%50), i, onNode(strings.Repeat("x", i)))
				if _, err := tr.JSON(corev1.SchemeGroupVersion.WithKind("Pod"), o); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if b := tr.Bytes(); b > limit || b < limit/2 {
		t.Errorf("it holds %d bytes of %d", b, limit)
	}
	sum := int64(0)
	for _, b := range tr.made.Values() {
		sum += int64(len(b)) + transcodeOverhead
	}
	if sum != tr.Bytes() {
		t.Errorf("it counts %d bytes and holds %d", tr.Bytes(), sum)
	}
}
