//go:build !wasip1

package main

import (
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func TestHealthIsJudgedOnceAPeriod(t *testing.T) {
	w := sdktest.New(t, oneNode)
	w.Controller = controllerName
	w.Config = `{"nodeMonitorPeriod": "20s", "nodeMonitorGracePeriod": "1s"}`
	want(t, "first look", 20*time.Second, w.ReconcileKey(keyOf("n1")).RequeueAfter)
	pass(w, 19*time.Second)
	w.ReconcileKey(keyOf("n1")).Want(t, "requeue after 1s")
	pass(w, time.Second)
	w.ReconcileKey(keyOf("n1"))
	want(t, "conditions", unknownConditions, conditionsOf(w, "n1"))
}

// TestLeaseIsReadLive: only where a node's time is up. A node whose Lease the
// cache lags behind with is looked at again a period later.
func TestLeaseIsReadLive(t *testing.T) {
	w := seen(t)
	pass(w, 49*time.Second)
	want(t, "live reads in time", 0, lives(w.ReconcileKey(keyOf("n1"))))
	pass(w, time.Second)
	renewed := sdktest.Get[*coordinationv1.Lease](w, "Lease", leaseNamespace, "n1").DeepCopy()
	renewed.ResourceVersion = "11"
	w.AddLiveObjects(renewed)
	run := w.ReconcileKey(keyOf("n1"))
	want(t, "live reads when time is up", 1, lives(run))
	run.Want(t, "requeue after 5s")
	pass(w, 5*time.Second)
	w.ReconcileKey(keyOf("n1")).Want(t, "requeue after 5s")
	w.AddObjects(renewed)
	w.Observe("Lease", leaseNamespace, "n1", w.Now.Add(-time.Second))
	w.ReconcileKey(keyOf("n1")).Want(t, "requeue after 49s")
}

func lives(run *sdktest.Run) int {
	n := 0
	for i := range run.Reads {
		if run.Reads[i].Live {
			n++
		}
	}
	return n
}

// TestFirstReport: from then on the shorter time counts, also where the report
// says nothing of when it was made.
func TestFirstReport(t *testing.T) {
	w := sdktest.New(t, oneNode)
	w.Controller = controllerName
	editNode(w, "n1", func(n *corev1.Node) { n.Status.Conditions = nil })
	w.Now = getNode(w, "n1").CreationTimestamp.Time
	want(t, "until the first report", time.Minute, w.ReconcileKey(keyOf("n1")).RequeueAfter)
	pass(w, 55*time.Second)
	editNode(w, "n1", func(n *corev1.Node) {
		n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}}
	})
	w.ReconcileKey(keyOf("n1")).Want(t, "requeue after 50s")
}
