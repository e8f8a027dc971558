package meta_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

func TestOwnersAgreeWithUpstream(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		obj, owner := &metaapi.ObjectMeta{OwnerReferences: randomRefs(rng)}, &metaapi.ObjectMeta{UID: "u1"}
		m, o := objectMeta(t, *obj), objectMeta(t, *owner)
		want := metaapi.GetControllerOf(obj)
		got, ok := meta.ControllerOf(m)
		if ok != (want != nil) || ok && types.UID(got.UID()) != want.UID {
			t.Fatalf("%+v: controller %v %v", obj.OwnerReferences, got.UID(), ok)
		}
		if is := meta.IsControlledBy(m, o); is != metaapi.IsControlledBy(obj, owner) {
			t.Fatalf("%+v: IsControlledBy is %v", obj.OwnerReferences, is)
		}
	}
}

func randomRefs(rng *rand.Rand) []metaapi.OwnerReference {
	yes, no := true, false
	var refs []metaapi.OwnerReference
	for range rng.IntN(4) {
		refs = append(refs, metaapi.OwnerReference{UID: pick[types.UID](rng, "u1", "u2"), Controller: pick(rng, nil, &yes, &no)})
	}
	return refs
}

func TestNewControllerRef(t *testing.T) {
	owner := metaapi.ObjectMeta{Name: "n", UID: "u"}
	want := *metaapi.NewControllerRef(&owner, schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "ReplicaSet"})
	var got metaapi.OwnerReference
	if err := got.Unmarshal(meta.NewControllerRef("apps/v1", "ReplicaSet", objectMeta(t, owner))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reference (-want +got):\n%s", diff)
	}
}

func TestOwnerReferencesAreKeptByUID(t *testing.T) {
	ref := func(uid, name string) metav1.OwnerReference {
		return metav1.OwnerReference(nil).WithUID(uid).WithName(name)
	}
	names := func(m metav1.ObjectMeta) (all []string) {
		for r := range m.OwnerReferences() {
			all = append(all, r.Name())
		}
		return all
	}
	m := meta.WithOwnerReference(metav1.ObjectMeta(nil).WithName("x"), ref("1", "a"))
	m = meta.WithOwnerReference(m, ref("2", "b"))
	if m = meta.WithOwnerReference(m, ref("1", "c")); !slices.Equal(names(m), []string{"c", "b"}) {
		t.Errorf("references are %v", names(m))
	}
	if got, ok := meta.OwnerOf(m, "2"); !ok || got.Name() != "b" {
		t.Errorf("owner 2 is %q %v", got.Name(), ok)
	}
	if m = meta.WithoutOwnerReference(m, "1"); !slices.Equal(names(m), []string{"b"}) || m.Name() != "x" {
		t.Errorf("references are %v", names(m))
	}
	if _, ok := meta.OwnerOf(m, "1"); ok {
		t.Error("owner 1 is still there")
	}
}
