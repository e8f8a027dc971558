package informercache

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/loopdock/loopdock/abi/wire"
)

// fullPod has something in every part of the metadata that is read.
func fullPod() *corev1.Pod {
	yes, now := true, metav1.NewTime(time.Unix(1700000000, 0))
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"},
		ObjectMeta: metav1.ObjectMeta{
			Name: "p", Namespace: "n", UID: "u", ResourceVersion: "7", Generation: 3, CreationTimestamp: now, DeletionTimestamp: &now,
			Labels:          map[string]string{"b": "2", "a": "1", "empty": ""},
			Annotations:     map[string]string{"x": "y", metav1.InitialEventsAnnotationKey: "true"},
			Finalizers:      []string{"one", "two"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "K", Name: "o", UID: "ou"}, {Kind: "C", UID: "cu", Controller: &yes, BlockOwnerDeletion: &yes}},
			ManagedFields:   []metav1.ManagedFieldsEntry{{Manager: "m", FieldsV1: metav1.NewFieldsV1(`{"f:a":{}}`)}, {Manager: "n"}},
		},
		Spec: corev1.PodSpec{NodeName: "node", Containers: []corev1.Container{{Name: "c", Image: "i"}, {Name: "d", Image: "j"}}},
	}
}

func encodings(t *testing.T, obj runtime.Object) map[Encoding][]byte {
	t.Helper()
	out := map[Encoding][]byte{}
	for encoding, media := range map[Encoding]string{Protobuf: runtime.ContentTypeProtobuf, JSON: runtime.ContentTypeJSON} {
		info, _ := runtime.SerializerInfoForMediaType(scheme.Codecs.SupportedMediaTypes(), media)
		b, err := runtime.Encode(info.Serializer, obj)
		if err != nil {
			t.Fatal(err)
		}
		out[encoding] = b
	}
	return out
}

func decode[T runtime.Object](t *testing.T, data []byte, list bool) (T, *schema.GroupVersionKind) {
	t.Helper()
	obj, gvk, err := (&decoder{codec: newCodec(list, newInterner(), nil)}).Decode(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := obj.(T)
	if !ok {
		t.Fatalf("decoded a %T", obj)
	}
	return got, gvk
}

func TestDecodeReadsMetadataOfBothEncodings(t *testing.T) {
	for encoding, data := range encodings(t, fullPod()) {
		i, gvk := decode[*item](t, data, false)
		if gvk.Kind != "Pod" || gvk.Version != "v1" {
			t.Errorf("%s: kind %s", encoding, gvk)
		}
		o := i.obj
		if !i.listEnd || o.Encoding() != encoding || o.Namespace() != "n" || o.Name() != "p" || o.UID() != "u" || o.ResourceVersion() != "7" || o.Generation() != 3 {
			t.Errorf("%s: %+v", encoding, o)
		}
		if !o.Terminating() || o.DeletionTimestamp().Unix() != 1700000000 || !slices.Equal(o.Finalizers(), []string{"one", "two"}) {
			t.Errorf("%s: deletion %v %v", encoding, o.DeletionTimestamp(), o.Finalizers())
		}
		if d := cmp.Diff(map[string]string{"b": "2", "a": "1", "empty": ""}, maps.Collect(o.Labels().All())); d != "" || !o.Labels().Has("empty") || o.Labels().Len() != 3 {
			t.Errorf("%s: %s", encoding, d)
		}
		want := []OwnerReference{{APIVersion: "v1", Kind: "K", Name: "o", UID: "ou"}, {Kind: "C", UID: "cu", Controller: true, BlockOwnerDeletion: true}}
		if d := cmp.Diff(want, o.Owners()); d != "" || o.Controller().UID != "cu" {
			t.Errorf("%s: %s", encoding, d)
		}
		if bytes.Contains(o.Raw(), []byte("f:a")) || cap(o.Raw()) != len(o.Raw()) {
			t.Errorf("%s: managedFields, or too much memory, is kept", encoding)
		}
	}
}

func TestDecodeListsOfBothEncodings(t *testing.T) {
	list := &corev1.PodList{
		TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}, ListMeta: metav1.ListMeta{ResourceVersion: "9", Continue: "c"},
		Items: []corev1.Pod{*fullPod(), *fullPod()},
	}
	for i := range list.Items { // as a server sends them
		list.Items[i].TypeMeta = metav1.TypeMeta{}
	}
	for encoding, data := range encodings(t, list) {
		l, _ := decode[*itemList](t, data, true)
		if len(l.Items) != 2 || l.ResourceVersion != "9" || l.Continue != "c" {
			t.Fatalf("%s: %+v", encoding, l)
		}
		a, b := l.Items[0].obj, l.Items[1].obj
		if a.labels != b.labels || a.owners != b.owners {
			t.Errorf("%s: equal metadata is not shared", encoding)
		}
		var p corev1.Pod
		var err error
		if encoding == JSON {
			err = json.Unmarshal(a.Raw(), &p)
		} else {
			err = p.Unmarshal(a.Raw())
		}
		want := fullPod()
		want.ManagedFields = nil
		if encoding == Protobuf {
			want.TypeMeta = metav1.TypeMeta{}
		}
		if err != nil || !equality.Semantic.DeepEqual(&p, want) {
			t.Errorf("%s: %v %s", encoding, err, cmp.Diff(want, &p))
		}
	}
}

func TestDecodeRefusesWhatIsNoObject(t *testing.T) {
	cases := map[string]struct {
		reason string
		data   []byte
	}{
		"table":     {"a table has rows in place of objects", []byte(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{}}`)},
		"text":      {"a proxy's answer", []byte("<html>")},
		"empty":     {"nothing came", nil},
		"no meta":   {"JSON without metadata", []byte(`{"kind":"X"}`)},
		"truncated": {"half a message", append([]byte("k8s\x00"), 0x12, 40, 1)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := &decoder{codec: newCodec(false, newInterner(), nil)}
			if got, _, err := d.Decode(tc.data, nil, nil); err == nil {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}

func TestFieldsTellWhetherTheyChanged(t *testing.T) {
	images := Path{Numbers: []int32{2, 2, 2}, Name: "spec.containers.image"}
	node := Path{Numbers: []int32{2, 10}, Name: "spec.nodeName"}
	absent := Path{Numbers: []int32{2, 9999}, Name: "spec.none"}
	read := func(p *corev1.Pod) map[Encoding]*Object {
		out := map[Encoding]*Object{}
		for encoding, data := range encodings(t, p) {
			i, _ := decode[*item](t, data, false)
			out[encoding] = i.obj
		}
		return out
	}
	base, moved := fullPod(), fullPod()
	moved.Spec.Containers[0].Image, moved.Spec.Containers[1].Image = "ij", ""
	moved.Spec.NodeName = "other"
	a, again, b := read(base), read(base), read(moved)
	for _, e := range []Encoding{Protobuf, JSON} {
		for _, p := range []Path{images, node} {
			if !bytes.Equal(a[e].Field(p), again[e].Field(p)) || bytes.Equal(a[e].Field(p), b[e].Field(p)) || a[e].Field(p) == nil {
				t.Errorf("%s %s: %q, then %q", e, p.Name, a[e].Field(p), b[e].Field(p))
			}
		}
		if a[e].Field(absent) != nil || !bytes.Equal(a[e].Field(Path{}), a[e].Raw()) {
			t.Errorf("%s: an absent field, or the whole object", e)
		}
		if got := indexValues(a[e], Index{Path: images}); !slices.Equal(got, []string{"i", "j"}) {
			t.Errorf("%s: values %q", e, got)
		}
		if got := indexValues(a[e], Index{Path: Path{Numbers: []int32{1, 11}, Name: "metadata.labels"}, Type: Map}); !slices.Contains(got, "a=1") || len(got) != 3 {
			t.Errorf("%s: values %q", e, got)
		}
		if got := indexValues(a[e], Index{Path: absent}); !slices.Equal(got, []string{""}) {
			t.Errorf("%s: no value gives %q", e, got)
		}
		if got := indexValues(a[e], Index{Path: Path{Numbers: []int32{2, 11}, Name: "spec.hostNetwork"}, Type: Bool}); !slices.Equal(got, []string{"false"}) {
			t.Errorf("%s: a bool that is left out gives %q", e, got)
		}
		if got := indexValues(a[e], Index{Path: Path{Numbers: []int32{1, 7}, Name: "metadata.generation"}}); !slices.Equal(got, []string{"3"}) {
			t.Errorf("%s: an integer gives %q", e, got)
		}
	}
}

// FuzzTrim holds the trimmed bytes and what is read from them to k8s.io/api.
func FuzzTrim(f *testing.F) {
	full, err := fullPod().Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(full)
	f.Add([]byte{0x0a, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		i, err := readItem(body{encoding: Protobuf, raw: b}, newInterner())
		if err != nil {
			return
		}
		var want, got corev1.Pod
		if want.Unmarshal(b) != nil {
			return // wrong deeper down than is looked at here
		}
		if err := got.Unmarshal(i.obj.Raw()); err != nil {
			t.Fatal(err)
		}
		want.ManagedFields = nil
		if !reflect.DeepEqual(want, got) {
			t.Fatal(cmp.Diff(want, got))
		}
		o, m := i.obj, &want.ObjectMeta
		if o.Name() != m.Name || o.Namespace() != m.Namespace || o.UID() != m.UID || o.ResourceVersion() != m.ResourceVersion ||
			o.Generation() != m.Generation || o.Terminating() != (m.DeletionTimestamp != nil) || !slices.Equal(o.Finalizers(), m.Finalizers) ||
			!maps.Equal(maps.Collect(o.Labels().All()), m.Labels) || len(o.Owners()) != len(m.OwnerReferences) {
			t.Fatalf("read %+v from %+v", o, m)
		}
		protoField(b, []int32{2, 2, 2})
		protoValues(nil, b, []int32{2, 2, 2}, Map)
		unknownField(&want, b)
	})
}

// FuzzTrimJSON holds the JSON walker to encoding/json.
func FuzzTrimJSON(f *testing.F) {
	f.Add([]byte(`{"metadata":{"managedFields":[{"a":"]}\""}],"name":"x"},"spec":{}}`))
	f.Add([]byte(`{ "metadata" : { "name":"x" , "managedFields" : null } }`))
	f.Add([]byte(`{"metadata":{"managedFields":[]}}`))
	f.Add([]byte(`{"items":[{"metadata":{}},1,"x",[true]],"metadata":{}}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		trimmed, _, err := trimJSON(doc) // whatever the bytes, no panic
		jsonField(doc, "a.b")
		jsonValues(doc, "items.metadata", Map)
		if err != nil || !json.Valid(doc) || !utf8.Valid(doc) || twice(doc) || twice(jsonMember(doc, "metadata")) {
			return
		}
		var want, got map[string]any
		if json.Unmarshal(doc, &want) != nil {
			return
		}
		if err := json.Unmarshal(trimmed, &got); err != nil {
			t.Fatalf("%s became %s: %v", doc, trimmed, err)
		}
		if m, ok := want["metadata"].(map[string]any); ok {
			delete(m, "managedFields")
		}
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%s became %s: %s", doc, trimmed, cmp.Diff(want, got))
		}
	})
}

// twice tells whether an object has a member twice.
func twice(doc []byte) bool {
	seen := map[string]bool{}
	found := false
	_ = jsonMembers(doc, 0, func(s jsonSpan) bool {
		found = found || seen[string(s.key)]
		seen[string(s.key)] = true
		return true
	})
	return found
}

// FuzzDecode feeds the decoder whatever a server could send.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("k8s\x00\x0a\x09\x0a\x02v1\x12\x03Pod\x12\x02\x0a\x00"), true)
	f.Add([]byte(`{"kind":"PodList","items":[{"metadata":{"name":"a"}}]}`), true)
	f.Add([]byte(`{"kind":"Pod","metadata":{"ownerReferences":[{"uid":"x"}]}}`), false)
	f.Fuzz(func(_ *testing.T, data []byte, list bool) {
		d := &decoder{codec: newCodec(list, newInterner(), nil), usual: scheme.Codecs.UniversalDeserializer()}
		_, _, _ = d.Decode(data, nil, nil) // it must not panic
	})
}

// FuzzMeta reads metadata from arbitrary bytes.
func FuzzMeta(f *testing.F) {
	f.Add(wire.AppendString(nil, metaName, "x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		o := &Object{}
		if _, err := readMeta(o, b, newInterner()); err == nil && (o.labels == nil || o.owners == nil) {
			t.Fatal("incomplete")
		}
	})
}
