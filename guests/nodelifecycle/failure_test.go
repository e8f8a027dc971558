//go:build !wasip1

package main

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// refuse has the first action of a verb fail, as one does that comes too late.
func refuse(w *sdktest.World, verb abi.Verb) {
	done := false
	w.OnAction = func(a *abi.Action) *abi.Result {
		if done || a.Verb != verb {
			return nil
		}
		done = true
		r := sdktest.Failure(apierrors.NewConflict(schema.GroupResource{Resource: "things"}, a.Name, errors.New("changed")))
		return &r
	}
}

const lateMessage = `Operation cannot be fulfilled on things "`

func TestVerdictThatFailsIsPassedAgainAtOnce(t *testing.T) {
	w := seen(t)
	pass(w, 50*time.Second)
	refuse(w, abi.VerbUpdate)
	run := w.ReconcileKey(keyOf("n1"))
	want(t, "error", `cannot keep Node n1: `+lateMessage+`n1": changed`, run.Err)
	want(t, "events of what was not done", nil, performed(run, abi.VerbEvent))
	w.ReconcileKey(keyOf("n1"))
	want(t, "conditions", unknownConditions, conditionsOf(w, "n1"))
}

// performed is what was done by a verb, without what failed or was not tried.
func performed(run *sdktest.Run, verb abi.Verb) []string {
	var out []string
	for i := range run.Done {
		if d := &run.Done[i]; d.Verb == verb && d.Result.Outcome == abi.OutcomeOK {
			out = append(out, d.String())
		}
	}
	return out
}

func TestTaintThatFailsCostsNoToken(t *testing.T) {
	w := cluster(t, 5)
	lose(w, "a", 0, 2)
	refuse(w, abi.VerbPatch)
	run := w.ReconcileKey(zonesKey)
	want(t, "error", `cannot taint nodes: `+lateMessage+`a-0": changed`, run.Err)
	for _, m := range run.Metrics {
		if m.Name == "evictions_total" {
			t.Errorf("what failed was counted: %+v", m)
		}
	}
	turn(w)
	want(t, "driven without a wait", map[string]int{"a": 1}, driven(w))
}

func TestReleaseThatFailsIsDoneAgain(t *testing.T) {
	w := cluster(t, 3)
	lose(w, "a", 0, 1)
	turn(w)
	lose(w, "a", 1, 3)
	refuse(w, abi.VerbPatch)
	want(t, "error", `cannot taint nodes: `+lateMessage+`a-0": changed`, w.ReconcileKey(zonesKey).Err)
	want(t, "still driven", map[string]int{"a": 1}, driven(w))
	w.ReconcileKey(zonesKey)
	want(t, "released", map[string]int{}, driven(w))
	pass(w, time.Hour)
	turn(w)
	want(t, "nobody is driven while no node is ready", map[string]int{}, driven(w))
}

func TestPodsThatAreNotMarkedAreTriedAgain(t *testing.T) {
	w := seen(t)
	report(w, "n1", corev1.NodeReady, corev1.ConditionUnknown)
	refuse(w, abi.VerbUpdate)
	run := w.ReconcileKey(keyOf("n1"))
	want(t, "error", `cannot keep Node n1: `+lateMessage+`a": changed`, run.Err)
	want(t, "events of what was not done", nil, performed(run, abi.VerbEvent))
	w.ReconcileKey(keyOf("n1"))
	want(t, "the Pod", corev1.ConditionFalse, podReady(w, "a"))
}

func TestPodThatIsNotToldIsNotDeleted(t *testing.T) {
	w := tainting(t)
	refuse(w, abi.VerbPatch)
	run := w.Reconcile("n1")
	want(t, "error", `cannot evict Pods of Node n1: `+lateMessage+`a": changed`, run.Err)
	want(t, "gone", false, gone(w))
	w.Reconcile("n1")
	want(t, "gone at the second try", true, gone(w))
}

func TestTimesOutliveAFailure(t *testing.T) {
	w := tainting(t, forSeconds(corev1.TaintNodeUnreachable, 300))
	w.Reconcile("n1")
	tolerate(w, "elsewhere")
	sdktest.Edit(w, "Pod", "shop", "elsewhere", func(pod *corev1.Pod) { pod.Spec.NodeName = "n1" })
	pass(w, 100*time.Second)
	refuse(w, abi.VerbDelete)
	w.Reconcile("n1")
	w.Remove("Pod", "shop", "elsewhere")
	w.Reconcile("n1").Want(t, "requeue after 3m20s")
}
