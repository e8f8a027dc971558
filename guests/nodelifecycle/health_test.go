//go:build !wasip1

package main

import (
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

var unknownConditions = []string{
	"Ready Unknown NodeStatusUnknown", "MemoryPressure Unknown NodeStatusUnknown",
	"DiskPressure Unknown NodeStatusNeverUpdated", "PIDPressure Unknown NodeStatusNeverUpdated",
}

func TestNodeIsRegisteredAndRemoved(t *testing.T) {
	w := sdktest.New(t, oneNode)
	w.Controller = controllerName
	want(t, "events", []string{"Normal RegisteredNode: Node n1 event: Registered Node n1 in Controller"}, eventsOf(w.ReconcileKey(keyOf("n1"))))
	want(t, "events, the second time", nil, eventsOf(w.ReconcileKey(keyOf("n1"))))
	w.Remove("Node", "", "n1")
	want(t, "events at the end", []string{"Normal RemovingNode: Node n1 event: Removing Node n1 from Controller"}, eventsOf(w.ReconcileKey(keyOf("n1"))))
	w.ReconcileKey(keyOf("n1")).Want(t)
}

func TestSilentNodeBecomesUnknown(t *testing.T) {
	w := seen(t)
	pass(w, 49*time.Second)
	w.ReconcileKey(keyOf("n1")).Want(t, "requeue after 1s")
	pass(w, time.Second)
	run := w.ReconcileKey(keyOf("n1"))
	want(t, "conditions", unknownConditions, conditionsOf(w, "n1"))
	want(t, "taints", []string{"NoSchedule unreachable"}, taintsOf(w, "n1"))
	want(t, "events", []string{"Normal NodeNotReady: Node n1 status is now: NodeNotReady", "Warning NodeNotReady: Node is not ready"}, eventsOf(run))
	want(t, "message", "Kubelet stopped posting node status.", getNode(w, "n1").Status.Conditions[0].Message)
	want(t, "its Pod", corev1.ConditionFalse, podReady(w, "a"))
	want(t, "another one's Pod", corev1.ConditionTrue, podReady(w, "elsewhere"))
	w.ReconcileKey(keyOf("n1")).Want(t) // and there is nothing more to say
}

// TestNodeThatWasNotReadyGoesSilent: that it is not is no news.
func TestNodeThatWasNotReadyGoesSilent(t *testing.T) {
	w := seen(t)
	report(w, "n1", corev1.NodeReady, corev1.ConditionFalse)
	w.ReconcileKey(keyOf("n1"))
	want(t, "its Pod, of which its kubelet tells", corev1.ConditionTrue, podReady(w, "a"))
	pass(w, 50*time.Second)
	run := w.ReconcileKey(keyOf("n1"))
	want(t, "conditions", unknownConditions, conditionsOf(w, "n1"))
	want(t, "events", []string{"Warning NodeNotReady: Node is not ready"}, eventsOf(run))
	want(t, "its Pod", corev1.ConditionFalse, podReady(w, "a"))
}

func TestWhatKeepsANodeAlive(t *testing.T) {
	for _, tc := range []struct {
		name   string
		after  time.Duration
		change func(w *sdktest.World)
		silent bool
	}{
		{name: "its status", after: 40 * time.Second, change: func(w *sdktest.World) { report(w, "n1", corev1.NodeReady, corev1.ConditionTrue) }},
		{name: "its Lease", after: 40 * time.Second, change: func(w *sdktest.World) { renew(w, "n1") }},
		{name: "not our own taints", after: 40 * time.Second, silent: true, change: func(w *sdktest.World) {
			editNode(w, "n1", func(n *corev1.Node) { n.Spec.Unschedulable = true })
		}},
		{name: "not another condition", after: 40 * time.Second, silent: true, change: func(w *sdktest.World) {
			report(w, "n1", corev1.NodeNetworkUnavailable, corev1.ConditionFalse)
		}},
		{name: "a Lease that the cache has not seen yet", after: 40 * time.Second, change: func(w *sdktest.World) {
			l := sdktest.Get[*coordinationv1.Lease](w, "Lease", leaseNamespace, "n1").DeepCopy()
			l.ResourceVersion = "11"
			w.AddLiveObjects(l)
		}},
		{name: "a Lease that nobody has is none", after: 40 * time.Second, silent: true, change: func(w *sdktest.World) {
			w.Remove("Lease", leaseNamespace, "n1")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := seen(t)
			pass(w, tc.after)
			tc.change(w)
			w.ReconcileKey(keyOf("n1"))
			pass(w, 10*time.Second)
			w.ReconcileKey(keyOf("n1"))
			got := getNode(w, "n1").Status.Conditions[0].Status == corev1.ConditionUnknown
			want(t, "declared silent", tc.silent, got)
		})
	}
}

func TestNodeThatNeverReported(t *testing.T) {
	w := sdktest.New(t, oneNode)
	w.Controller = controllerName
	w.Remove("Lease", leaseNamespace, "n1")
	editNode(w, "n1", func(n *corev1.Node) { n.Status.Conditions = nil })
	w.Now = getNode(w, "n1").CreationTimestamp.Add(10 * time.Second)
	w.ReconcileKey(keyOf("n1"))
	pass(w, 49*time.Second)
	want(t, "conditions within the minute", nil, conditionsOf(w, "n1"))
	w.ReconcileKey(keyOf("n1"))
	pass(w, time.Second)
	w.ReconcileKey(keyOf("n1"))
	want(t, "conditions after it", []string{
		"Ready Unknown NodeStatusNeverUpdated", "MemoryPressure Unknown NodeStatusNeverUpdated",
		"DiskPressure Unknown NodeStatusNeverUpdated", "PIDPressure Unknown NodeStatusNeverUpdated",
	}, conditionsOf(w, "n1"))
}

func TestNodeComesBack(t *testing.T) {
	w := seen(t)
	pass(w, time.Minute)
	w.ReconcileKey(keyOf("n1"))
	report(w, "n1", corev1.NodeReady, corev1.ConditionTrue)
	w.ReconcileKey(keyOf("n1"))
	want(t, "taints", nil, taintsOf(w, "n1"))
	run := w.ReconcileKey(keyOf("n1"))
	run.Want(t, "requeue after 50s")
}

func TestNodeOfTheSameNameStartsAnew(t *testing.T) {
	w := seen(t)
	pass(w, 49*time.Second)
	editNode(w, "n1", func(n *corev1.Node) { n.UID = "uid-new" })
	want(t, "events", []string{"Normal RegisteredNode: Node n1 event: Registered Node n1 in Controller"}, eventsOf(w.ReconcileKey(keyOf("n1"))))
	pass(w, 49*time.Second)
	w.ReconcileKey(keyOf("n1"))
	want(t, "condition", corev1.ConditionTrue, getNode(w, "n1").Status.Conditions[0].Status)
}

func TestPodsThatAreBoundToASilentNode(t *testing.T) {
	w := seen(t)
	pass(w, time.Minute)
	w.ReconcileKey(keyOf("n1"))
	sdktest.Edit(w, "Pod", "shop", "elsewhere", func(pod *corev1.Pod) { pod.Spec.NodeName = "n1" })
	w.ReconcileKey(keyOf("n1"))
	want(t, "the Pod", corev1.ConditionFalse, podReady(w, "elsewhere"))
}

func TestBadSettings(t *testing.T) {
	w := sdktest.New(t, oneNode)
	w.Controller = controllerName
	w.Config = `{"nodeMonitorGracePeriod": "soon", "nodeEvictionRate": -1}`
	w.ReconcileKey(keyOf("n1")).Want(t, `terminal error: cannot use nodeMonitorGracePeriod "soon": it is a time such as 50s; `+
		`cannot use nodeEvictionRate "-1": it is a number of 0 or more`)
}
