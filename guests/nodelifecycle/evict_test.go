//go:build !wasip1

package main

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// tainting is a World in which the node n1 drives Pods away that don't tolerate it.
func tainting(t *testing.T, tolerations ...corev1.Toleration) *sdktest.World {
	t.Helper()
	w := sdktest.New(t, oneNode)
	w.Controller = "tainteviction"
	tolerate(w, "a", tolerations...)
	setTaints(w, unreachable)
	return w
}

var unreachable = corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute}

func setTaints(w *sdktest.World, taints ...corev1.Taint) {
	editNode(w, "n1", func(n *corev1.Node) { n.Spec.Taints = taints })
}

func tolerate(w *sdktest.World, pod string, tolerations ...corev1.Toleration) {
	sdktest.Edit(w, "Pod", "shop", pod, func(pod *corev1.Pod) { pod.Spec.Tolerations = tolerations })
}

func forSeconds(key string, seconds int64) corev1.Toleration {
	return corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &seconds}
}

func gone(w *sdktest.World) bool { return len(w.Names("Pod")) == 1 }

func TestTolerations(t *testing.T) {
	const never = time.Duration(-1)
	for _, tc := range []struct {
		name        string
		tolerations []corev1.Toleration
		after       time.Duration
	}{
		{name: "none"},
		{name: "for ever", after: never, tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}}},
		{name: "for a while", after: 300 * time.Second, tolerations: []corev1.Toleration{forSeconds(corev1.TaintNodeUnreachable, 300)}},
		{name: "for no time", tolerations: []corev1.Toleration{forSeconds(corev1.TaintNodeUnreachable, 0)}},
		{name: "for less than that", tolerations: []corev1.Toleration{forSeconds(corev1.TaintNodeUnreachable, -5)}},
		{name: "of another key", tolerations: []corev1.Toleration{forSeconds(corev1.TaintNodeNotReady, 300)}},
		{name: "of another effect", tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoSchedule}}},
		{name: "of another value", tolerations: []corev1.Toleration{{Key: corev1.TaintNodeUnreachable, Value: "x"}}},
		{name: "of an equal value", after: never, tolerations: []corev1.Toleration{{Key: corev1.TaintNodeUnreachable}}},
		{name: "the first that fits", after: 10 * time.Second, tolerations: []corev1.Toleration{
			forSeconds(corev1.TaintNodeUnreachable, 10), {Operator: corev1.TolerationOpExists},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := tainting(t, tc.tolerations...)
			run := w.Reconcile("n1")
			if tc.after == never {
				run.Want(t)
				return
			}
			if tc.after > 0 {
				run.Want(t, "requeue after "+tc.after.String())
				pass(w, tc.after-time.Second)
				w.Reconcile("n1").Want(t, "requeue after 1s")
				pass(w, time.Second)
				run = w.Reconcile("n1")
			}
			want(t, "events", []string{"Normal TaintManagerEviction: Marking for deletion Pod shop/a"}, eventsOf(run))
			want(t, "gone", true, gone(w))
		})
	}
}

func TestPodIsToldWhyItGoes(t *testing.T) {
	w := tainting(t)
	sdktest.Edit(w, "Pod", "shop", "a", func(pod *corev1.Pod) { pod.Finalizers = []string{"example.com/hold"} })
	w.Reconcile("n1")
	pod := getPod(w, "a")
	i := slices.IndexFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.DisruptionTarget })
	if i < 0 {
		t.Fatal("the Pod is not told")
	}
	want(t, "condition", corev1.PodCondition{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "DeletionByTaintManager",
		Message: "Taint manager: deleting due to NoExecute taint", LastTransitionTime: metav1.NewTime(w.Now),
	}, pod.Status.Conditions[i])
	if pod.DeletionTimestamp == nil {
		t.Error("the Pod is not deleted")
	}
	w.Reconcile("n1").Want(t) // and is left alone then
}

func TestTaintGoesInTime(t *testing.T) {
	w := tainting(t, forSeconds(corev1.TaintNodeUnreachable, 300))
	w.Reconcile("n1")
	pass(w, 100*time.Second)
	setTaints(w)
	want(t, "events", []string{"Normal TaintManagerEviction: Cancelling deletion of Pod shop/a"}, eventsOf(w.Reconcile("n1")))
	w.Reconcile("n1").Want(t)
	setTaints(w, unreachable) // which counts anew
	w.Reconcile("n1").Want(t, "requeue after 5m0s")
}

func TestSeveralTaints(t *testing.T) {
	w := tainting(t, forSeconds(corev1.TaintNodeUnreachable, 300), forSeconds("slow", 100))
	w.Reconcile("n1").Want(t, "requeue after 5m0s")
	pass(w, 100*time.Second)
	setTaints(w, unreachable, corev1.Taint{Key: "slow", Effect: corev1.TaintEffectNoExecute})
	w.Reconcile("n1").Want(t, "requeue after 1m40s")
	setTaints(w, corev1.Taint{Key: "slow", Effect: corev1.TaintEffectNoExecute}, unreachable)
	w.Reconcile("n1").Want(t, "requeue after 1m40s")
	setTaints(w, unreachable, corev1.Taint{Key: "now", Effect: corev1.TaintEffectNoExecute})
	w.Reconcile("n1")
	want(t, "gone", true, gone(w))
}

func TestPodThatIsBoundToATaintedNode(t *testing.T) {
	w := tainting(t, corev1.Toleration{Operator: corev1.TolerationOpExists})
	w.Reconcile("n1").Want(t)
	pass(w, time.Hour)
	tolerate(w, "elsewhere", forSeconds(corev1.TaintNodeUnreachable, 60))
	sdktest.Edit(w, "Pod", "shop", "elsewhere", func(pod *corev1.Pod) {
		pod.Spec.NodeName = "n1"
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodScheduled, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(w.Now),
		})
	})
	w.Reconcile("n1").Want(t, "requeue after 1m0s")
}

func TestOtherEffectsDriveNobodyAway(t *testing.T) {
	w := tainting(t)
	setTaints(w, corev1.Taint{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule})
	w.Reconcile("n1").Want(t)
	w.Remove("Node", "", "n1")
	w.Reconcile("n1").Want(t)
}

// TestOrderOfAnEviction: the Event, then the Pod's status, then the deletion of
// that Pod and no other of its name.
func TestOrderOfAnEviction(t *testing.T) {
	run := tainting(t).Reconcile("n1")
	run.Want(t,
		"event Normal TaintManagerEviction: Marking for deletion Pod shop/a",
		`patch Pod/status shop/a {"metadata":{"uid":"uid-a"},"status":{"conditions":[{"type":"DisruptionTarget","status":"True","reason":"DeletionByTaintManager",`+
			`"message":"Taint manager: deleting due to NoExecute taint","observedGeneration":0,"lastTransitionTime":"2026-01-02T03:04:05Z"}]}}`,
		"delete Pod shop/a",
	)
	want(t, "UID", "uid-a", run.Done[2].UID)
}

func TestPodThatIsADisruptionTargetAlready(t *testing.T) {
	since := metav1.NewTime(time.Date(2026, 1, 2, 3, 3, 0, 0, time.UTC))
	target := func(reason, message string) *sdktest.World {
		w := tainting(t)
		sdktest.Edit(w, "Pod", "shop", "a", func(pod *corev1.Pod) {
			pod.Finalizers = []string{"example.com/hold"}
			pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{
				Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: reason, Message: message, LastTransitionTime: since,
			})
		})
		return w
	}
	w := target("PreemptionByScheduler", "make room")
	w.Reconcile("n1")
	c := getPod(w, "a").Status.Conditions[2]
	want(t, "reason", "DeletionByTaintManager", c.Reason)
	want(t, "transition", since, c.LastTransitionTime)
	w = target("DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint")
	w.Reconcile("n1").Want(t, "event Normal TaintManagerEviction: Marking for deletion Pod shop/a", "delete Pod shop/a")
}
