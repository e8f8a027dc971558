//go:build !wasip1

package main

import (
	"errors"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

var pods = schema.GroupResource{Resource: "pods"}

const widget = `
apiVersion: example.com/v1
kind: Widget
metadata:
  name: widget
  namespace: default
  uid: uid-widget
  ownerReferences:
  - {apiVersion: v1, kind: ReplicationController, name: owner, uid: uid-owner, blockOwnerDeletion: true}
  - {apiVersion: v1, kind: ReplicationController, name: other, uid: uid-other}
`

const dependent = `
apiVersion: v1
kind: Secret
metadata:
  name: dependent
  namespace: default
  ownerReferences: [{apiVersion: v1, kind: Pod, name: pod, uid: uid-pod}]
`

func TestCollect(t *testing.T) {
	ref := func(f func(*metav1.OwnerReference)) func(*sdktest.World) {
		return edit("Pod", "pod", func(m metav1.Object) {
			refs := m.GetOwnerReferences()
			f(&refs[0])
			m.SetOwnerReferences(refs)
		})
	}
	conflict := apierrors.NewConflict(pods, "pod", errors.New("it has changed"))
	const collected = "delete Pod default/pod in the background"
	cases := map[string]struct {
		reason string
		change func(*sdktest.World)
		want   []string
	}{
		"owner is there": {"it is left alone", all(), nil},
		"owner is gone":  {"what it owned follows", without("ReplicationController", "owner"), []string{collected}},
		"owner was seen to go": {"the API server need not be asked for it", func(w *sdktest.World) {
			w.Remove("ReplicationController", "default", "owner")
			w.SeenGone("default", "uid-owner")
		}, []string{collected}},
		"owner is gone live": {"the cache shows it as before: its deletion will tell", func(w *sdktest.World) { w.RemoveLive("ReplicationController", "default", "owner") }, nil},
		"owner is newer": {"the cache will know it", all(func(w *sdktest.World) {
			w.AddLive("apiVersion: v1\nkind: ReplicationController\nmetadata: {name: late, namespace: default, uid: uid-late}\n")
		}, ref(func(r *metav1.OwnerReference) { r.Name, r.UID = "late", "uid-late" })), []string{"requeue after 5ms"}},
		"owner of another UID":     {"an object of that name is not the owner", ref(func(r *metav1.OwnerReference) { r.UID = "uid-before" }), []string{collected}},
		"owner of another name":    {"nor is one of that UID", ref(func(r *metav1.OwnerReference) { r.Name = "x" }), []string{collected}},
		"owner of another kind":    {"", ref(func(r *metav1.OwnerReference) { r.Kind = "Pod" }), []string{collected}},
		"owner of an unknown kind": {"it may be served later", all(func(w *sdktest.World) { w.Unserve("Thing") }, ref(func(r *metav1.OwnerReference) { r.APIVersion, r.Kind, r.UID = "g/v1", "Thing", "uid-x" })), []string{"requeue after 5ms"}},
		"owner without namespace":  {"it may own what is in one", ref(func(r *metav1.OwnerReference) { r.Kind, r.Name, r.UID = "Node", "node", "uid-node" }), nil},
		"gone live":                {"there is nothing left to delete", all(without("ReplicationController", "owner"), func(w *sdktest.World) { w.RemoveLive("Pod", "default", "pod") }), nil},
		"replaced live": {
			"another one of its name is not meant", all(without("ReplicationController", "owner"),
				func(w *sdktest.World) {
					w.AddLive("apiVersion: v1\nkind: Pod\nmetadata: {name: pod, namespace: default, uid: uid-new}\n")
				}), nil,
		},
		"released live": {
			"it has no owner any more", all(without("ReplicationController", "owner"),
				func(w *sdktest.World) {
					w.AddLive("apiVersion: v1\nkind: Pod\nmetadata: {name: pod, namespace: default, uid: uid-pod}\n")
				}), nil,
		},
		"on its way":          {"it is being deleted already", all(without("ReplicationController", "owner"), edit("Pod", "pod", terminate("x/y"))), nil},
		"orphans":             {"a finalizer that is there is heeded", all(without("ReplicationController", "owner"), edit("Pod", "pod", func(m metav1.Object) { m.SetFinalizers([]string{"orphan"}) })), []string{"delete Pod default/pod without its dependents", `patch Pod default/pod {"metadata":{"resourceVersion":"7","finalizers":null}}`}},
		"foreground":          {"so is this one", all(without("ReplicationController", "owner"), edit("Pod", "pod", func(m metav1.Object) { m.SetFinalizers([]string{"foregroundDeletion"}) })), []string{"delete Pod default/pod in the foreground", `patch Pod default/pod {"metadata":{"resourceVersion":"7","finalizers":null}}`}},
		"owner waits":         {"it waits for this", edit("ReplicationController", "owner", terminate("foregroundDeletion")), []string{collected}},
		"owner waits for all": {"it waits for what this owns as well", all(edit("ReplicationController", "owner", terminate("foregroundDeletion")), add(dependent)), []string{"delete Pod default/pod in the foreground"}},
		"owner waits for others": {
			"being deleted is not enough", edit("ReplicationController", "owner", terminate("x/y")), nil,
		},
		"a cycle": {
			"it must not hold what it waits for",
			all(edit("ReplicationController", "owner", terminate("foregroundDeletion")), add(dependent), edit("Secret", "dependent", terminate("foregroundDeletion"))),
			[]string{
				`patch Pod default/pod {"metadata":{"uid":"uid-pod","ownerReferences":[{"apiVersion":"v1","kind":"ReplicationController","name":"owner","uid":"uid-owner","blockOwnerDeletion":false}]}}`,
				"delete Pod default/pod in the foreground",
			},
		},
		"conflict": {
			"only the references count", all(without("ReplicationController", "owner"), refuse(abi.VerbDelete, conflict)),
			[]string{"delete Pod default/pod: Conflict: " + conflict.Error() + " in the background", collected + ", whatever changed"},
		},
		"gone meanwhile": {
			"that was to be", all(without("ReplicationController", "owner"), refuse(abi.VerbDelete, apierrors.NewNotFound(pods, "pod"))),
			[]string{`delete Pod default/pod: NotFound: pods "pod" not found in the background`},
		},
		"forbidden": {
			"it is tried again", all(without("ReplicationController", "owner"), refuse(abi.VerbDelete, apierrors.NewForbidden(pods, "pod", errors.New("no")))),
			[]string{`delete Pod default/pod: Forbidden: pods "pod" is forbidden: no in the background`, `error: pods "pod" is forbidden: no`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, world)
			tc.change(w)
			want(t, tc.reason, w.ReconcileObject("Pod", "default", "pod"), tc.want)
		})
	}
}

func TestSharedIsReleased(t *testing.T) {
	const strategic = `patch Pod default/shared {"metadata":{"uid":"uid-shared","ownerReferences":[{"$patch":"delete","uid":"uid-owner"}]}}`
	cases := map[string]struct {
		reason string
		change func(*sdktest.World)
		want   []string
	}{
		"all there":      {"nothing is to be done", all(), nil},
		"one is gone":    {"the other keeps it", without("ReplicationController", "owner"), []string{strategic}},
		"one waits":      {"it need not wait for what stays", edit("ReplicationController", "owner", terminate("foregroundDeletion")), []string{strategic}},
		"both are gone":  {"nobody keeps it", all(without("ReplicationController", "owner"), without("ReplicationController", "other")), []string{"delete Pod default/shared in the background"}},
		"gone meanwhile": {"nothing is left to be patched", all(without("ReplicationController", "owner"), refuse(abi.VerbPatch, apierrors.NewNotFound(pods, "shared"))), []string{strategic + `: NotFound: pods "shared" not found`}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, world)
			tc.change(w)
			want(t, tc.reason, w.ReconcileObject("Pod", "default", "shared"), tc.want)
		})
	}
}

// TestCustomResource: a strategic patch that the API server does not know is
// followed by a merge patch.
func TestCustomResource(t *testing.T) {
	w := sdktest.New(t, world, widget)
	w.Remove("ReplicationController", "default", "owner")
	run := w.ReconcileObject("Widget", "default", "widget")
	want(t, "the reference is gone", run, []string{
		`patch Widget default/widget {"metadata":{"uid":"uid-widget","ownerReferences":[{"$patch":"delete","uid":"uid-owner"}]}}: UnsupportedMediaType: ` + run.Done[0].Result.Message,
		`patch Widget default/widget {"metadata":{"resourceVersion":"6","ownerReferences":[{"apiVersion":"v1","kind":"ReplicationController","name":"other","uid":"uid-other"}]}}`,
	})
}

// TestOwnerElsewhere: an owner in another namespace is none. That is told, once.
func TestOwnerElsewhere(t *testing.T) {
	const away = `
apiVersion: v1
kind: Secret
metadata:
  name: away
  namespace: elsewhere
  ownerReferences: [{apiVersion: v1, kind: ReplicationController, name: owner, uid: uid-owner}]
`
	w := sdktest.New(t, world, away)
	refuse(abi.VerbDelete, apierrors.NewForbidden(pods, "away", errors.New("no")))(w)
	run := w.ReconcileObject("Secret", "elsewhere", "away")
	const told = `event Warning OwnerRefInvalidNamespace: ownerRef [v1/ReplicationController, namespace: elsewhere, name: owner, uid: uid-owner] does not exist in namespace "elsewhere"`
	if got := lines(run); len(got) != 3 || got[0] != told {
		t.Errorf("%q", got)
	}
	want(t, "the second time nothing is told", w.ReconcileObject("Secret", "elsewhere", "away"), []string{"delete Secret elsewhere/away in the background"})
}

// TestClusterScoped: an object without a namespace can't have an owner in one. It
// is told of, left alone, and not tried again.
func TestClusterScoped(t *testing.T) {
	const volume = `
apiVersion: v1
kind: PersistentVolume
metadata:
  name: volume
  ownerReferences: [{apiVersion: v1, kind: ReplicationController, name: owner, uid: uid-owner}]
`
	w := sdktest.New(t, world, volume)
	const told = `event Warning OwnerRefInvalidNamespace: ownerRef [v1/ReplicationController, namespace: , name: owner, uid: uid-owner] does not exist in namespace ""`
	want(t, "it stays", w.ReconcileObject("PersistentVolume", "", "volume"), []string{told})
	want(t, "it stays", w.ReconcileObject("PersistentVolume", "", "volume"), nil)
	w.Remove("ReplicationController", "default", "owner")
	w.SeenGone("default", "uid-owner")
	want(t, "it stays when that goes", w.ReconcileObject("PersistentVolume", "", "volume"), nil)
}

// TestPatience: what can't be told yet is looked at later and later, and from the
// start once it could be told.
func TestPatience(t *testing.T) {
	w := sdktest.New(t, world)
	w.Unserve("ReplicationController")
	w.Remove("ReplicationController", "default", "owner")
	for want := firstRetry; want < 10*lastRetry; want *= 2 {
		if got := w.ReconcileObject("Pod", "default", "pod").RequeueAfter; got != min(want, lastRetry) {
			t.Fatalf("looked at again after %v, want %v", got, min(want, lastRetry))
		}
	}
	w.Add(world)
	if got := w.ReconcileObject("Pod", "default", "pod"); got.RequeueAfter != 0 {
		t.Errorf("looked at again after %v", got.RequeueAfter)
	}
	w.Remove("ReplicationController", "default", "owner")
	if got := w.ReconcileObject("Pod", "default", "pod").RequeueAfter; got != 5*time.Millisecond {
		t.Errorf("looked at again after %v", got)
	}
}

// TestLiveReads: nothing is asked of the API server as long as all is well, and
// not for owners that were seen to go.
func TestLiveReads(t *testing.T) {
	w := sdktest.New(t, world)
	if n := lives(w.ReconcileObject("Pod", "default", "pod")); n != 0 {
		t.Errorf("%d live reads of an object whose owner is there", n)
	}
	w.Remove("ReplicationController", "default", "owner")
	w.SeenGone("default", "uid-owner")
	if n := lives(w.ReconcileObject("Pod", "default", "pod")); n != 1 {
		t.Errorf("%d live reads of an object whose owner was seen to go", n)
	}
}
