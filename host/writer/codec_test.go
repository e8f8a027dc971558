package writer

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

var podKind = abi.Kind{APIVersion: "v1", Kind: "Pod"}

func testPod() *corev1.Pod {
	yes, grace := true, int64(30)
	when := metav1.NewTime(time.Unix(1_700_000_000, 0))
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: "a", GenerateName: "b-", Namespace: "ns", UID: "u", ResourceVersion: "7",
			DeletionTimestamp: &when, DeletionGracePeriodSeconds: &grace, Finalizers: []string{"x/y", "z/z"},
			OwnerReferences: []metav1.OwnerReference{{UID: "other"}, {UID: "boss", Controller: &yes}},
			Labels:          map[string]string{"k": "v"},
		},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
}

func protobuf(tb testing.TB, o interface{ Marshal() ([]byte, error) }) []byte {
	tb.Helper()
	b, err := o.Marshal()
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func TestMetaIsTheSameInBothEncodings(t *testing.T) {
	pod := testPod()
	want := meta{
		name: "a", generateName: "b-", namespace: "ns", uid: "u", resourceVersion: "7",
		terminating: true, grace: 30, finalizers: 2, controller: "boss",
	}
	got, err := readMeta(abi.EncodingProtobuf, protobuf(t, pod))
	if err != nil || got != want {
		t.Errorf("of protobuf: %+v, %v", got, err)
	}
	pod.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	b, err := json.Marshal(pod)
	if err != nil {
		t.Fatal(err)
	}
	want.apiVersion, want.kind = "v1", "Pod"
	if got, err = readMeta(abi.EncodingJSON, b); err != nil || got != want {
		t.Errorf("of JSON: %+v, %v", got, err)
	}
}

func TestEnvelopeIsTheAPIServers(t *testing.T) {
	pod := testPod()
	body := protobuf(t, pod)
	enveloped := wrap(podKind, body)
	decoded, gvk, err := scheme.Codecs.UniversalDeserializer().Decode(enveloped, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if gvk.Kind != "Pod" || gvk.Version != "v1" {
		t.Errorf("decoded as %v", gvk)
	}
	got, ok := decoded.(*corev1.Pod)
	if !ok {
		t.Fatalf("decoded as %T", decoded)
	}
	got.TypeMeta = metav1.TypeMeta{}
	if diff := cmp.Diff(pod, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	kind, back, err := unwrap(enveloped)
	if err != nil || kind != "Pod" || !bytes.Equal(back, body) {
		t.Errorf("unwrap = %q, %d bytes, %v", kind, len(back), err)
	}
	for _, bad := range [][]byte{nil, []byte("k8s"), []byte("{}"), append([]byte("k8s\x00"), 0x0a)} {
		if _, _, err := unwrap(bad); err == nil {
			t.Errorf("unwrap takes %q", bad)
		}
	}
}

func TestEditSetsMetadataAndNothingElse(t *testing.T) {
	e := edit{name: "new", uid: "new-uid", resourceVersion: "8"}
	pod := testPod()
	body := protobuf(t, pod)
	future := wire.AppendString(wire.AppendMessage(body, objectMeta, func(b []byte) []byte {
		return wire.AppendString(b, 99, "a field of ObjectMeta that is not known yet")
	}), 98, "one of Pod")
	got, err := e.object(abi.EncodingProtobuf, future)
	if err != nil {
		t.Fatal(err)
	}
	var decoded corev1.Pod
	if err := decoded.Unmarshal(got); err != nil {
		t.Fatal(err)
	}
	pod.Name, pod.UID, pod.ResourceVersion = "new", "new-uid", "8"
	if diff := cmp.Diff(pod, &decoded); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	inMeta, _ := wire.Find(got, objectMeta)
	if _, ok := wire.Find(inMeta, 99); !ok {
		t.Error("an unknown field of the metadata is lost")
	}
	if _, ok := wire.Find(got, 98); !ok {
		t.Error("an unknown field of the object is lost")
	}
}

func TestEditJSON(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     string
		want   string
	}{
		"set":         {"numbers and unknown fields keep their bytes", `{"spec":{"n":1.0e2},"metadata":{"name":"a","x":1}}`, `{"metadata":{"name":"new","resourceVersion":"8","x":1},"spec":{"n":1.0e2}}`},
		"no metadata": {"it is made", `{}`, `{"metadata":{"name":"new","resourceVersion":"8"}}`},
		"null":        {"it is made too", `{"metadata":null}`, `{"metadata":{"name":"new","resourceVersion":"8"}}`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := edit{name: "new", resourceVersion: "8"}.object(abi.EncodingJSON, []byte(tc.in))
			if err != nil || string(got) != tc.want {
				t.Errorf("%s: %s, %v", tc.reason, got, err)
			}
		})
	}
	for _, bad := range []string{"", "[]", "null", `{"metadata":3}`} {
		if _, err := (edit{name: "n"}).object(abi.EncodingJSON, []byte(bad)); err == nil {
			t.Errorf("edits %q", bad)
		}
	}
}

func TestEditPatch(t *testing.T) {
	cases := map[string]struct {
		reason string
		kind   abi.PatchType
		in     string
		want   string
	}{
		"merge":     {"metadata of the patch", abi.PatchTypeMerge, `{"spec":1}`, `{"metadata":{"resourceVersion":"8","uid":"u"},"spec":1}`},
		"strategic": {"the same", abi.PatchTypeStrategic, `{}`, `{"metadata":{"resourceVersion":"8","uid":"u"}}`},
		"apply":     {"YAML becomes JSON", abi.PatchTypeMerge, "spec: 1\n", `{"metadata":{"resourceVersion":"8","uid":"u"},"spec":1}`},
		"json": {
			"operations that come first", abi.PatchTypeJSON, `[{"op":"remove","path":"/x"}]`,
			`[{"op":"add","path":"/metadata/uid","value":"u"},{"op":"add","path":"/metadata/resourceVersion","value":"8"},{"op":"remove","path":"/x"}]`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := edit{uid: "u", resourceVersion: "8"}.patch(tc.kind, []byte(tc.in))
			if err != nil || string(got) != tc.want {
				t.Errorf("%s: %s, %v", tc.reason, got, err)
			}
		})
	}
}

func TestDrawnNames(t *testing.T) {
	w := &Writer{suffix: randomSuffix}
	long := string(bytes.Repeat([]byte("x"), 70))
	seen := map[string]bool{}
	for range 1000 {
		task := task{generateName: long, encoding: abi.EncodingProtobuf}
		if err := w.draw(&task); err != nil {
			t.Fatal(err)
		}
		if len(task.name) != 63 || task.name[:58] != long[:58] || !task.drawn {
			t.Fatalf("drew %q", task.name)
		}
		seen[task.name] = true
	}
	if len(seen) < 990 {
		t.Errorf("1000 draws gave %d names", len(seen))
	}
}

func TestCut(t *testing.T) {
	cases := map[string]struct {
		in, want string
	}{
		"short":             {"abc", "abc"},
		"long":              {"abcdefghijk", "abcdefg..."},
		"inside a rune":     {"abcdeééééé", "abcdeé..."},
		"exactly the limit": {"abcdefghij", "abcdefghij"},
	}
	for name, tc := range cases {
		if got := cut(tc.in, 10); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

// FuzzObject feeds arbitrary bytes to all that reads objects: nothing panics,
// and what is edited reads back as edited.
func FuzzObject(f *testing.F) {
	f.Add(protobuf(f, testPod()))
	f.Add(wrap(podKind, protobuf(f, testPod())))
	f.Add([]byte(`{"metadata":{"name":"a"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, contentType := range []string{typeJSON, typeProtobuf, ""} {
			if o, err := readObject(answer{body: b, contentType: contentType}); err == nil {
				_, _ = readItems(&o)
			}
		}
		for _, encoding := range []abi.Encoding{abi.EncodingJSON, abi.EncodingProtobuf} {
			got, err := edit{name: "new"}.object(encoding, b)
			if err != nil {
				continue
			}
			m, err := readMeta(encoding, got)
			if err == nil && m.name != "new" {
				t.Errorf("edited, the name is %q", m.name)
			}
		}
	})
}
