//go:build !wasip1

package main

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func TestForeground(t *testing.T) {
	unblocked := func(name string) func(*sdktest.World) {
		return edit("Pod", name, func(m metav1.Object) {
			refs := m.GetOwnerReferences()
			refs[0].BlockOwnerDeletion = nil
			m.SetOwnerReferences(refs)
		})
	}
	released := `patch ReplicationController default/owner {"metadata":{"resourceVersion":"6","finalizers":null}}`
	cases := map[string]struct {
		reason string
		change func(*sdktest.World)
		want   []string
	}{
		"blocked":        {"dependents go first", all(), nil},
		"blocked by one": {"each of them", without("Pod", "pod"), nil},
		"free":           {"nobody holds it any more", all(without("Pod", "pod"), without("Pod", "shared")), []string{released}},
		"not blocking":   {"not every dependent holds its owner", all(unblocked("pod"), without("Pod", "shared")), []string{released}},
		"gone live":      {"there is nothing left to do", all(without("Pod", "pod"), without("Pod", "shared"), func(w *sdktest.World) { w.RemoveLive("ReplicationController", "default", "owner") }), nil},
		"released by another": {"the finalizer is gone", all(without("Pod", "pod"), without("Pod", "shared"), func(w *sdktest.World) {
			w.AddLive("apiVersion: v1\nkind: ReplicationController\nmetadata: {name: owner, namespace: default, uid: uid-owner}\n")
		}), nil},
		"other finalizers": {
			"they stay", all(without("Pod", "pod"), without("Pod", "shared"), edit("ReplicationController", "owner", terminate("a/b", "foregroundDeletion", "c/d"))),
			[]string{`patch ReplicationController default/owner {"metadata":{"resourceVersion":"7","finalizers":["a/b","c/d"]}}`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, world)
			edit("ReplicationController", "owner", terminate("foregroundDeletion"))(w)
			tc.change(w)
			want(t, tc.reason, w.ReconcileObject("ReplicationController", "default", "owner"), tc.want)
		})
	}
}

// TestForegroundWatches: the owner is to be woken by what its dependents become.
func TestForegroundWatches(t *testing.T) {
	w := sdktest.New(t, world)
	edit("ReplicationController", "owner", terminate("foregroundDeletion"))(w)
	run := w.ReconcileObject("ReplicationController", "default", "owner")
	if len(run.Reads) != 1 || run.Reads[0].Quiet || run.Reads[0].OwnerUID != "uid-owner" || len(run.Reads[0].Wakes) != 1 {
		t.Errorf("reads %+v", run.Reads)
	}
}
