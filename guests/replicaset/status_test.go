//go:build !wasip1

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func uidOf(i int) types.UID { return types.UID("uid-more-" + string(rune('0'+i))) }

// readySince makes a Pod ready for so long.
func readySince(w *sdktest.World, name string, ago time.Duration) {
	editPod(w, name, func(p *corev1.Pod) {
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(w.Now.Add(-ago))}}
	})
}

func minReady(seconds int32) func(*sdktest.World) {
	return func(w *sdktest.World) {
		editSet(w, func(rs *appsv1.ReplicaSet) { rs.Spec.MinReadySeconds = seconds })
	}
}

func TestStatus(t *testing.T) {
	counts := func(replicas, labeled, ready, available, terminating int32) appsv1.ReplicaSetStatus {
		return appsv1.ReplicaSetStatus{
			Replicas: replicas, FullyLabeledReplicas: labeled, ReadyReplicas: ready, AvailableReplicas: available,
			TerminatingReplicas: &terminating, ObservedGeneration: 7,
		}
	}
	less := func(w *sdktest.World, name string) {
		editPod(w, name, func(p *corev1.Pod) { p.Labels = map[string]string{"app": "web"} })
	}
	cases := map[string]struct {
		reason  string
		change  func(w *sdktest.World)
		want    appsv1.ReplicaSetStatus
		requeue time.Duration
	}{
		"all well":       {"two of everything", func(*sdktest.World) {}, counts(2, 2, 2, 2, 0), 0},
		"one label less": {"than the template has: it is selected all the same", func(w *sdktest.World) { less(w, "web-a") }, counts(2, 1, 2, 2, 0), 0},
		"no label":       {"of both", func(w *sdktest.World) { less(w, "web-a"); less(w, "web-b") }, counts(2, 0, 2, 2, 0), 0},
		"more labels":    {"don't matter", func(w *sdktest.World) { editPod(w, "web-a", func(p *corev1.Pod) { p.Labels["x"] = "y" }) }, counts(2, 2, 2, 2, 0), 0},
		"not ready": {"is not available either", func(w *sdktest.World) {
			editPod(w, "web-a", func(p *corev1.Pod) { p.Status.Conditions[0].Status = corev1.ConditionFalse })
		}, counts(2, 2, 1, 1, 0), 0},
		"ready for too short": {"it is looked at when it has been ready for long enough", func(w *sdktest.World) { minReady(3600)(w); readySince(w, "web-a", 20*time.Second) }, counts(2, 2, 2, 1, 0), 3580 * time.Second},
		"ready just enough":   {"it is available to the second", func(w *sdktest.World) { minReady(3600)(w); readySince(w, "web-a", time.Hour) }, counts(2, 2, 2, 2, 0), 0},
		"the next one counts": {"of two that have to wait", func(w *sdktest.World) {
			minReady(30)(w)
			readySince(w, "web-a", 4*time.Second)
			readySince(w, "web-b", 2*time.Second)
		}, counts(2, 2, 2, 0, 0), 26 * time.Second},
		"ready since unknown": {"never becomes available: look from time to time", func(w *sdktest.World) { minReady(30)(w); editPod(w, "web-a", readySometime) }, counts(2, 2, 2, 1, 0), 30 * time.Second},
		"terminating": {"is counted apart, if it has not ended", func(w *sdktest.World) {
			addTerminating(w, "t1", corev1.PodRunning)
			addTerminating(w, "t2", corev1.PodFailed)
		}, counts(2, 2, 2, 2, 1), 0},
		"terminating other's": {"is not counted", func(w *sdktest.World) { addTerminating(w, "t1", corev1.PodRunning); editPod(w, "t1", foreign) }, counts(2, 2, 2, 2, 0), 0},
		"terminating outcast": {"that is no longer selected is not either", func(w *sdktest.World) { addTerminating(w, "t1", corev1.PodRunning); editPod(w, "t1", unlabeled) }, counts(2, 2, 2, 2, 0), 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, two)
			editSet(w, func(rs *appsv1.ReplicaSet) { rs.Generation = 7 })
			tc.change(w)
			run := w.Reconcile("default/web")
			got := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web").Status
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if run.RequeueAfter != tc.requeue {
				t.Errorf("%s: requeue after %v, want %v", tc.reason, run.RequeueAfter, tc.requeue)
			}
		})
	}
}

func addTerminating(w *sdktest.World, name string, f corev1.PodPhase) {
	p := sdktest.Get[*corev1.Pod](w, "Pod", "default", "web-a").DeepCopy()
	p.Name, p.UID, p.Status.Phase = name, types.UID("uid-"+name), f
	deleted(p)
	w.AddObjects(p)
}

// TestStatusIsWrittenWhereItDiffers holds what counts as another status.
func TestStatusIsWrittenWhereItDiffers(t *testing.T) {
	two32, zero := int32(2), int32(0)
	same := appsv1.ReplicaSetStatus{Replicas: 2, FullyLabeledReplicas: 2, ReadyReplicas: 2, AvailableReplicas: 2, TerminatingReplicas: &zero, ObservedGeneration: 1}
	cases := map[string]struct {
		reason string
		change func(*appsv1.ReplicaSetStatus)
		writes bool
	}{
		"nothing":     {"the status is as it should be", func(*appsv1.ReplicaSetStatus) {}, false},
		"other kinds": {"conditions of others stay and are no difference", func(s *appsv1.ReplicaSetStatus) { s.Conditions = []appsv1.ReplicaSetCondition{{Type: "Odd"}} }, false},
		"generation":  {"the spec was changed to the same number", func(s *appsv1.ReplicaSetStatus) { s.ObservedGeneration = 0 }, true},
		"available":   {"a count is wrong", func(s *appsv1.ReplicaSetStatus) { s.AvailableReplicas = 1 }, true},
		"no count":    {"an absent count is not zero", func(s *appsv1.ReplicaSetStatus) { s.TerminatingReplicas = nil }, true},
		"wrong count": {"of what terminates", func(s *appsv1.ReplicaSetStatus) { s.TerminatingReplicas = &two32 }, true},
		"failure":     {"that is over", func(s *appsv1.ReplicaSetStatus) { s.Conditions = failing("FailedCreate", "x") }, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, two)
			editSet(w, func(rs *appsv1.ReplicaSet) { rs.Status = *same.DeepCopy(); tc.change(&rs.Status) })
			if got := len(w.Reconcile("default/web").Done); (got > 0) != tc.writes {
				t.Errorf("%s: %d actions", tc.reason, got)
			}
		})
	}
}

// TestStatusConflict holds that a conflict is retried on the object as the API
// server has it, with the status that belongs to the generation that was seen.
func TestStatusConflict(t *testing.T) {
	w := sdktest.New(t, web, two)
	fresh := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web").DeepCopy()
	fresh.ResourceVersion, fresh.Generation, fresh.Annotations = "99", 2, map[string]string{"new": "yes"}
	w.AddLiveObjects(fresh)
	run := w.Reconcile("default/web")
	if got := run.Done[0].Result.Reason; got != string(metav1.StatusReasonConflict) {
		t.Fatalf("the stale write gave %q", got)
	}
	w.Attempt = 1
	run = w.Reconcile("default/web")
	if got := run.Done[0].Result; got.Outcome != abi.OutcomeOK {
		t.Fatalf("the second write gave %+v", got)
	}
	rs := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web")
	if rs.Status.Replicas != 2 || rs.Status.ObservedGeneration != 1 || rs.Annotations["new"] != "yes" {
		t.Errorf("it became %+v", rs)
	}
}

// TestStatusComesWithTheFailure holds that the status is written although the
// Events could not be.
func TestStatusComesWithTheFailure(t *testing.T) {
	w := sdktest.New(t, web)
	w.OnAction = func(a *abi.Action) *abi.Result {
		if a.Verb == abi.VerbUpdate {
			return nil
		}
		r := sdktest.Failure(apierrors.NewForbidden(schema.GroupResource{}, "x", nil))
		return &r
	}
	w.Reconcile("default/web")
	if got := conditionsOf(w); len(got) != 1 || got[0].Reason != "FailedCreate" {
		t.Errorf("conditions %+v", got)
	}
}
