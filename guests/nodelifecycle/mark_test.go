//go:build !wasip1

package main

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func TestTaintsFollowConditions(t *testing.T) {
	for _, tc := range []struct {
		typ    corev1.NodeConditionType
		status corev1.ConditionStatus
		want   []string
	}{
		{corev1.NodeReady, corev1.ConditionFalse, []string{"NoSchedule not-ready"}},
		{corev1.NodeReady, corev1.ConditionUnknown, []string{"NoSchedule unreachable"}},
		{corev1.NodeMemoryPressure, corev1.ConditionTrue, []string{"NoSchedule memory-pressure"}},
		{corev1.NodeDiskPressure, corev1.ConditionTrue, []string{"NoSchedule disk-pressure"}},
		{corev1.NodePIDPressure, corev1.ConditionTrue, []string{"NoSchedule pid-pressure"}},
		{corev1.NodeNetworkUnavailable, corev1.ConditionTrue, []string{"NoSchedule network-unavailable"}},
		{corev1.NodeMemoryPressure, corev1.ConditionUnknown, nil},
	} {
		t.Run(string(tc.typ)+string(tc.status), func(t *testing.T) {
			w := seen(t)
			editNode(w, "n1", func(n *corev1.Node) {
				n.Spec.Taints = []corev1.Taint{{Key: "own", Effect: corev1.TaintEffectNoExecute, Value: "a \"quoted\" one"}}
			})
			own := "NoExecute own"
			report(w, "n1", tc.typ, tc.status)
			w.ReconcileKey(keyOf("n1"))
			want(t, "taints", append([]string{own}, tc.want...), taintsOf(w, "n1"))
			want(t, "value", "a \"quoted\" one", getNode(w, "n1").Spec.Taints[0].Value)
			report(w, "n1", tc.typ, map[bool]corev1.ConditionStatus{true: corev1.ConditionTrue, false: corev1.ConditionFalse}[tc.typ == corev1.NodeReady])
			w.ReconcileKey(keyOf("n1"))
			want(t, "taints when that is over", []string{own}, taintsOf(w, "n1"))
		})
	}
}

func TestUnschedulable(t *testing.T) {
	w := seen(t)
	editNode(w, "n1", func(n *corev1.Node) { n.Spec.Unschedulable = true })
	w.ReconcileKey(keyOf("n1"))
	want(t, "taints", []string{"NoSchedule unschedulable"}, taintsOf(w, "n1"))
	editNode(w, "n1", func(n *corev1.Node) { n.Spec.Unschedulable = false })
	w.ReconcileKey(keyOf("n1"))
	want(t, "taints when it is over", nil, taintsOf(w, "n1"))
}

func TestDrivingTaintsAreSwapped(t *testing.T) {
	drive := func(w *sdktest.World, key string) {
		editNode(w, "n1", func(n *corev1.Node) { n.Spec.Taints = []corev1.Taint{{Key: key, Effect: corev1.TaintEffectNoExecute}} })
	}
	w := seen(t)
	drive(w, corev1.TaintNodeNotReady)
	report(w, "n1", corev1.NodeReady, corev1.ConditionUnknown)
	w.ReconcileKey(keyOf("n1"))
	want(t, "taints of an unknown one", []string{"NoSchedule unreachable", "NoExecute unreachable"}, taintsOf(w, "n1"))
	report(w, "n1", corev1.NodeReady, corev1.ConditionFalse)
	w.ReconcileKey(keyOf("n1"))
	want(t, "taints of one that is not ready", []string{"NoSchedule not-ready", "NoExecute not-ready"}, taintsOf(w, "n1"))
	report(w, "n1", corev1.NodeReady, corev1.ConditionTrue)
	w.ReconcileKey(keyOf("n1"))
	want(t, "taints of a ready one", nil, taintsOf(w, "n1"))
}

func TestOlderLabels(t *testing.T) {
	w := seen(t)
	editNode(w, "n1", func(n *corev1.Node) {
		n.Labels = map[string]string{"kubernetes.io/os": "linux", "kubernetes.io/arch": "riscv64", "beta.kubernetes.io/arch": "amd64"}
	})
	w.ReconcileKey(keyOf("n1"))
	want(t, "labels", map[string]string{
		"kubernetes.io/os": "linux", "beta.kubernetes.io/os": "linux", "kubernetes.io/arch": "riscv64", "beta.kubernetes.io/arch": "riscv64",
	}, getNode(w, "n1").Labels)
	want(t, "actions afterwards", 0, len(w.ReconcileKey(keyOf("n1")).Done))
}

// TestOnePatch: labels and taints are set together, on what was read, and what
// others have set stays.
func TestOnePatch(t *testing.T) {
	w := seen(t)
	editNode(w, "n1", func(n *corev1.Node) {
		n.Labels = map[string]string{"kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
		n.Spec.Unschedulable = true
		n.Spec.Taints = []corev1.Taint{
			{Key: "own", Value: "v", Effect: corev1.TaintEffectNoSchedule, TimeAdded: &n.CreationTimestamp},
			{Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoSchedule},
			{Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectPreferNoSchedule},
		}
	})
	version := getNode(w, "n1").ResourceVersion
	w.ReconcileKey(keyOf("n1")).Want(t,
		`patch Node n1 {"metadata":{"resourceVersion":"`+version+`","labels":{"beta.kubernetes.io/os":"linux","beta.kubernetes.io/arch":"amd64"}},"spec":{"taints":[`+
			`{"key":"own","value":"v","effect":"NoSchedule","timeAdded":"2026-01-02T03:00:00Z"},`+
			`{"key":"node.kubernetes.io/disk-pressure","effect":"PreferNoSchedule"},`+
			`{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule","timeAdded":"2026-01-02T03:04:05Z"}]}}`,
		"requeue after 50s")
}

// TestReadinessThatIsNotKnown: a node that says nothing of it keeps the taint that
// drives its Pods away, and gets none.
func TestReadinessThatIsNotKnown(t *testing.T) {
	w := seen(t)
	editNode(w, "n1", func(n *corev1.Node) {
		n.Status.Conditions = n.Status.Conditions[1:]
		n.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}}
	})
	w.ReconcileKey(keyOf("n1")).Want(t, "requeue after 1m0s")
}
