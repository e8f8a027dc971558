//go:build !wasip1

package main

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const (
	adoptsNew   = `patch ReplicaSet default/web-new {"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","uid":"uid-web","controller":true,"blockOwnerDeletion":true}],"uid":"uid-new"}}`
	releasesOld = `patch ReplicaSet default/web-old {"metadata":{"uid":"uid-old","ownerReferences":[{"$patch":"delete","uid":"uid-web"}]}}`
)

var setResource = schema.GroupResource{Group: "apps", Resource: "replicasets"}

// refuse has actions on ReplicaSets fail with err.
func refuse(verb abi.Verb, err error) change {
	return func(w *sdktest.World) {
		w.OnAction = func(a *abi.Action) *abi.Result {
			if a.Verb != verb || a.Kind.Kind != "ReplicaSet" {
				return nil
			}
			r := sdktest.Failure(err)
			return &r
		}
	}
}

func TestClaims(t *testing.T) {
	orphaned := editSet("web-new", func(rs *appsv1.ReplicaSet) { rs.OwnerReferences = nil })
	unlabeled := editSet("web-old", func(rs *appsv1.ReplicaSet) { rs.Labels = map[string]string{"app": "other"} })
	foreign := editSet("web-new", func(rs *appsv1.ReplicaSet) { rs.OwnerReferences[0].UID = "uid-other" })
	gone := sized("web-old", 0, 0)
	cases := map[string]situation{
		"adopts": {
			reason: "what it then finds is all that it wants", sources: []string{web, newer, old},
			change: all(gone, settled, orphaned), want: []string{adoptsNew},
		},
		"releases": {
			reason: "what it no longer selects is not scaled down", sources: []string{web, newer, old},
			change: all(settled, unlabeled), want: []string{releasesOld},
		},
		"both": {
			reason: "in one go", sources: []string{web, newer, old},
			change: all(settled, unlabeled, orphaned), want: []string{releasesOld, adoptsNew},
		},
		"terminating orphan": {
			reason: "it is not adopted, and another is created", sources: []string{web, newer},
			change: all(unlimited, orphaned, editSet("web-new", func(rs *appsv1.ReplicaSet) { deleted(rs) })),
			want:   lines([]string{"create ReplicaSet default/" + hashed, "event Normal ScalingReplicaSet: " + scalingMessage("up", hashed, 0, 10)}, []string{statusLine}),
		},
		"another's": {
			reason: "is left alone", sources: []string{web, newer},
			change: all(unlimited, foreign),
			want:   lines([]string{"create ReplicaSet default/" + hashed, "event Normal ScalingReplicaSet: " + scalingMessage("up", hashed, 0, 10)}, []string{statusLine}),
		},
		"orphan is gone": {
			reason: "there is nothing to adopt, and no failure", sources: []string{web, newer},
			change: all(paused, unlimited, orphaned, refuse(abi.VerbPatch, apierrors.NewNotFound(setResource, "web-new"))),
			want:   []string{adoptsNew, statusLine},
		},
		"adoption fails": {
			reason: "nothing is rolled out that may be there already", sources: []string{web, newer},
			change: all(orphaned, refuse(abi.VerbPatch, apierrors.NewForbidden(setResource, "web-new", nil))),
			want:   []string{adoptsNew + `: Forbidden: replicasets.apps "web-new" is forbidden: <nil>`, `error: cannot update the Deployment or its ReplicaSets: replicasets.apps "web-new" is forbidden: <nil>`},
		},
		"release is invalid": {
			reason: "the reference is gone already", sources: []string{web, newer, old},
			change: all(settled, unlabeled, refuse(abi.VerbPatch, apierrors.NewInvalid(schema.GroupKind{Kind: "ReplicaSet"}, "web-old", nil))),
			want:   []string{releasesOld},
		},
		"deleted meanwhile": {
			reason: "the cache does not know yet", sources: []string{web, newer},
			change: all(orphaned, func(w *sdktest.World) { w.RemoveLive("Deployment", "default", "web") }),
			want:   []string{"error: can't adopt ReplicaSets: cannot read Deployment default/web: not found"},
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestAdoptionLooksAtTheAPIServer holds that the cache is not trusted with
// whether the Deployment is to stay.
func TestAdoptionLooksAtTheAPIServer(t *testing.T) {
	cases := map[string]struct {
		live func(d *appsv1.Deployment)
		want string
	}{
		"terminating": {func(d *appsv1.Deployment) { deleted(d) }, "the Deployment has just been deleted"},
		"replaced":    {func(d *appsv1.Deployment) { d.UID = "uid-else" }, "the Deployment was replaced by one with UID uid-else"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			for _, name := range []string{"web-new", "web-old"} {
				editSet(name, func(rs *appsv1.ReplicaSet) { rs.OwnerReferences = nil })(w)
			}
			d := deploymentOf(w).DeepCopy()
			tc.live(d)
			w.AddLiveObjects(d)
			run := w.Reconcile("default/web")
			run.Want(t, "error: can't adopt ReplicaSets: "+tc.want)
			live := 0
			for _, q := range run.Reads {
				if q.Live {
					live++
				}
			}
			if live != 1 {
				t.Errorf("%d live reads, want 1 for all adoptions", live)
			}
		})
	}
}

// TestOthersOwnersStay holds that a release removes its own reference only.
func TestOthersOwnersStay(t *testing.T) {
	w := sdktest.New(t, web, newer, old)
	editSet("web-old", func(rs *appsv1.ReplicaSet) {
		rs.Labels = nil
		rs.OwnerReferences = append(rs.OwnerReferences, metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: "c", UID: "uid-c"})
	})(w)
	w.Reconcile("default/web")
	if refs := setOf(w, "web-old").OwnerReferences; len(refs) != 1 || refs[0].UID != "uid-c" {
		t.Errorf("the owners are %+v", refs)
	}
}
