package informercache

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// pod is a small pod; the options change it before it is encoded.
func pod(tb testing.TB, namespace, name string, version int, options ...func(*corev1.Pod)) *Object {
	tb.Helper()
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, UID: types.UID("uid-" + namespace + "-" + name), ResourceVersion: strconv.Itoa(version),
	}}
	for _, o := range options {
		o(p)
	}
	return object(tb, p, newInterner())
}

func object(tb testing.TB, o interface{ Marshal() ([]byte, error) }, in *interner) *Object {
	tb.Helper()
	b, err := o.Marshal()
	if err != nil {
		tb.Fatal(err)
	}
	i, err := readItem(body{encoding: Protobuf, raw: b}, in)
	if err != nil {
		tb.Fatal(err)
	}
	return i.obj
}

func withLabels(pairs ...string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Labels = map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			p.Labels[pairs[i]] = pairs[i+1]
		}
	}
}

func withOwner(uid string, controller bool) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{
			APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "rs-" + uid, UID: types.UID(uid), Controller: &controller,
		})
	}
}

func onNode(name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.NodeName = name }
}

func withUID(uid string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.UID = types.UID(uid) }
}

var nodeName = Index{Name: "node", Path: Path{Numbers: []int32{2, 10}, Name: "spec.nodeName"}}
