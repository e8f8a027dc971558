//go:build !wasip1

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const (
	adopts   = `patch Pod default/stray {"metadata":{"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"uid-web","controller":true,"blockOwnerDeletion":true}],"uid":"uid-stray"}}`
	releases = `patch Pod default/web-b {"metadata":{"uid":"uid-b","ownerReferences":[{"$patch":"delete","uid":"uid-web"}]}}`
)

var podResource = schema.GroupResource{Resource: "pods"}

// refuse has patches fail with err.
func refuse(verb abi.Verb, err error) func(*sdktest.World) {
	return func(w *sdktest.World) {
		w.OnAction = func(a *abi.Action) *abi.Result {
			if a.Verb != verb || a.Kind.Kind != "Pod" {
				return nil
			}
			r := sdktest.Failure(err)
			return &r
		}
	}
}

// foreign gives a Pod to another controller.
func foreign(p *corev1.Pod) { p.OwnerReferences[0].UID = "uid-other" }

func unlabeled(p *corev1.Pod) { p.Labels = map[string]string{"app": "other"} }

func TestClaims(t *testing.T) {
	all := func(fs ...func(*sdktest.World)) func(*sdktest.World) {
		return func(w *sdktest.World) {
			for _, f := range fs {
				f(w)
			}
		}
	}
	pod := func(name string, f func(*corev1.Pod)) func(*sdktest.World) {
		return func(w *sdktest.World) { editPod(w, name, f) }
	}
	replaced := []string{"create Pod default/web-1", "event Normal SuccessfulCreate: Created pod: web-1", statusLine}
	cases := map[string]struct {
		reason string
		change func(w *sdktest.World)
		want   []string
	}{
		"adopts an orphan":     {"it then has three of the three that it wants", want(3), []string{adopts, statusLine}},
		"adopts, then deletes": {"the stray one too many goes: it is not ready", want(2), []string{adopts, "delete Pod default/stray", "event Normal SuccessfulDelete: Deleted pod: stray", statusLine}},
		"releases":             {"what it no longer selects is let go and replaced", all(pod("stray", unlabeled), pod("web-b", unlabeled)), append([]string{releases}, replaced...)},
		"both":                 {"one goes, one comes", pod("web-b", unlabeled), []string{releases, adopts, statusLine}},
		"other's Pods":         {"are left alone", all(pod("stray", unlabeled), pod("web-b", foreign)), replaced},
		"other namespace": {"orphans elsewhere don't count", func(w *sdktest.World) {
			p := sdktest.Get[*corev1.Pod](w, "Pod", "default", "stray").DeepCopy()
			w.Remove("Pod", "default", "stray")
			p.Namespace = "elsewhere"
			w.AddObjects(p)
		}, []string{statusLine}},
		"ended orphan":            {"is not worth adopting", pod("stray", func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), []string{statusLine}},
		"terminating orphan":      {"is not adopted", pod("stray", func(p *corev1.Pod) { deleted(p) }), []string{statusLine}},
		"terminating, unselected": {"is not released: it goes anyway", all(pod("stray", unlabeled), pod("web-b", unlabeled), pod("web-b", func(p *corev1.Pod) { deleted(p) })), replaced},
		"orphan is gone":          {"there is nothing to adopt, and no failure", all(want(2), refuse(abi.VerbPatch, apierrors.NewNotFound(podResource, "stray"))), []string{adopts, statusLine, "requeue after 1s"}},
		"adoption fails":          {"nothing else is done on a wrong count", all(want(9), refuse(abi.VerbPatch, apierrors.NewForbidden(podResource, "stray", nil))), []string{adopts + `: Forbidden: pods "stray" is forbidden: <nil>`, `error: cannot claim Pods: pods "stray" is forbidden: <nil>`}},
		"release is invalid":      {"the reference is gone already", all(pod("stray", unlabeled), pod("web-b", unlabeled), refuse(abi.VerbPatch, apierrors.NewInvalid(schema.GroupKind{Kind: "Pod"}, "web-b", nil))), append(append([]string{releases}, replaced...), "requeue after 1s")},
		"deleted meanwhile":       {"the cache does not know yet", func(w *sdktest.World) { w.RemoveLive("ReplicaSet", "default", "web") }, []string{"error: can't adopt Pods: cannot read ReplicaSet default/web: not found"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, two, orphan)
			tc.change(w)
			run := w.Reconcile("default/web")
			if diff := cmp.Diff(tc.want, run.Lines()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestAdoptionLooksAtTheAPIServer holds that the cache is not trusted with
// whether the ReplicaSet is to stay.
func TestAdoptionLooksAtTheAPIServer(t *testing.T) {
	cases := map[string]struct {
		live func(rs *appsv1.ReplicaSet)
		want string
	}{
		"terminating": {func(rs *appsv1.ReplicaSet) { deleted(rs) }, "the ReplicaSet has just been deleted"},
		"replaced":    {func(rs *appsv1.ReplicaSet) { rs.UID = "uid-new" }, "the ReplicaSet was replaced by one with UID uid-new"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, orphan)
			rs := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web").DeepCopy()
			tc.live(rs)
			w.AddLiveObjects(rs)
			run := w.Reconcile("default/web")
			run.Want(t, "error: can't adopt Pods: "+tc.want)
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
	w := sdktest.New(t, web, two)
	editPod(w, "web-b", func(p *corev1.Pod) {
		unlabeled(p)
		p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{APIVersion: "v1", Kind: "Node", Name: "n", UID: "uid-n"})
	})
	w.Reconcile("default/web")
	if refs := sdktest.Get[*corev1.Pod](w, "Pod", "default", "web-b").OwnerReferences; len(refs) != 1 || refs[0].UID != "uid-n" {
		t.Errorf("the owners are %+v", refs)
	}
}
