//go:build !wasip1

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// cluster is a World with zones of so many nodes, named a-0, a-1, b-0 and so on,
// that are all ready, and have been counted once.
func cluster(t *testing.T, sizes ...int) *sdktest.World {
	t.Helper()
	w := sdktest.New(t)
	w.Controller = controllerName
	for zone, size := range sizes {
		for i := range size {
			letter := string(rune('a' + zone))
			w.AddObjects(&corev1.Node{
				ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint(letter, "-", i), Labels: map[string]string{labelZone: letter}},
				Status: corev1.NodeStatus{Conditions: []corev1.NodeCondition{{
					Type: corev1.NodeReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(w.Now), LastHeartbeatTime: metav1.NewTime(w.Now),
				}}},
			})
		}
	}
	w.ReconcileKey(zonesKey)
	return w
}

// lose makes nodes of a zone unknown, and has them marked.
func lose(w *sdktest.World, zone string, from, to int) {
	for i := from; i < to; i++ {
		become(w, fmt.Sprint(zone, "-", i), corev1.ConditionUnknown)
	}
}

// become has a node report whether it is ready, and has it marked.
func become(w *sdktest.World, name string, status corev1.ConditionStatus) {
	report(w, name, corev1.NodeReady, status)
	w.ReconcileKey(keyOf(name))
}

// turn looks at the zones until there is nothing to be done at once.
func turn(w *sdktest.World) *sdktest.Run {
	for {
		if run := w.ReconcileKey(zonesKey); len(run.Done) == 0 {
			return run
		}
	}
}

// driven counts the nodes that drive their Pods away, by zone.
func driven(w *sdktest.World) map[string]int {
	out := map[string]int{}
	for _, name := range w.Names("Node") {
		for _, taint := range getNode(w, name).Spec.Taints {
			if taint.Effect == corev1.TaintEffectNoExecute {
				out[strings.Split(name, "-")[0]]++
			}
		}
	}
	return out
}

func TestNodesAreDrivenAtAPace(t *testing.T) {
	w := cluster(t, 10)
	lose(w, "a", 0, 3)
	turn(w)
	want(t, "at once", map[string]int{"a": 1}, driven(w))
	want(t, "its taint", []string{"NoSchedule unreachable", "NoExecute unreachable"}, taintsOf(w, "a-0"))
	pass(w, 9*time.Second)
	w.ReconcileKey(zonesKey).Want(t, "requeue after 1s")
	pass(w, time.Second)
	turn(w)
	want(t, "after ten seconds", map[string]int{"a": 2}, driven(w))
	pass(w, 10*time.Second)
	turn(w)
	want(t, "after twenty seconds", map[string]int{"a": 3}, driven(w))
	w.ReconcileKey(zonesKey).Want(t)
}

func TestTheOneThatIsLostLongestGoesFirst(t *testing.T) {
	w := cluster(t, 5)
	lose(w, "a", 3, 4)
	pass(w, time.Second)
	lose(w, "a", 0, 1)
	w.ReconcileKey(zonesKey)
	want(t, "taints", []string{"NoSchedule unreachable", "NoExecute unreachable"}, taintsOf(w, "a-3"))
	want(t, "taints of the other", []string{"NoSchedule unreachable"}, taintsOf(w, "a-0"))
}

// TestTheNodesOwnKeyWritesFirst: the two keys don't write at the same time.
func TestTheNodesOwnKeyWritesFirst(t *testing.T) {
	w := cluster(t, 3)
	report(w, "a-0", corev1.NodeReady, corev1.ConditionFalse)
	w.ReconcileKey(zonesKey).Want(t)
	w.ReconcileKey(keyOf("a-0"))
	w.ReconcileKey(zonesKey)
	want(t, "taints", []string{"NoSchedule not-ready", "NoExecute not-ready"}, taintsOf(w, "a-0"))
}

func TestPaceOfZones(t *testing.T) {
	for _, tc := range []struct {
		name   string
		size   int
		lost   int
		within time.Duration
		want   int
	}{
		{name: "few are lost: one each ten seconds", size: 10, lost: 5, within: 40 * time.Second, want: 4},
		{name: "many of a small zone: none", size: 10, lost: 6, within: time.Hour, want: 0},
		{name: "many of a large zone: one each hundred seconds", size: 60, lost: 40, within: 400 * time.Second, want: 4},
		{name: "two are never many", size: 3, lost: 2, within: 20 * time.Second, want: 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := cluster(t, tc.size, 1)
			// The token that there is at first is spent and not yet back.
			lose(w, "a", 0, 1)
			w.ReconcileKey(zonesKey)
			become(w, "a-0", corev1.ConditionTrue)
			w.ReconcileKey(zonesKey)
			lose(w, "a", 0, tc.lost)
			for end := w.Now.Add(tc.within); ; {
				run := turn(w)
				if run.RequeueAfter == 0 || w.Now.Add(run.RequeueAfter).After(end) {
					break
				}
				pass(w, run.RequeueAfter)
			}
			want(t, "driven", tc.want, driven(w)["a"])
		})
	}
}

func TestZoneThatIsLostAltogetherIsDriven(t *testing.T) {
	w := cluster(t, 3, 1)
	lose(w, "a", 0, 3)
	w.ReconcileKey(zonesKey)
	want(t, "driven", map[string]int{"a": 1}, driven(w))
}

func TestFullDisruption(t *testing.T) {
	w := cluster(t, 3, 2)
	lose(w, "a", 0, 1)
	w.ReconcileKey(zonesKey)
	want(t, "before", map[string]int{"a": 1}, driven(w))
	lose(w, "a", 1, 3)
	lose(w, "b", 0, 2)
	w.ReconcileKey(zonesKey)
	want(t, "when no node is left", map[string]int{}, driven(w))
	pass(w, time.Hour)
	w.ReconcileKey(zonesKey).Want(t)

	become(w, "b-0", corev1.ConditionTrue)
	w.ReconcileKey(zonesKey)
	want(t, "when one is back", map[string]int{}, driven(w))
	want(t, "when the cluster was back", w.Now, decodeZones(memoOf(w)).resumed)
}

func memoOf(w *sdktest.World) []byte { return w.ReconcileKey(zonesKey).Response.Memo }

func TestNodesAreHeardOfWhenTheClusterIsBack(t *testing.T) {
	w := cluster(t, 2)
	w.ReconcileKey(keyOf("a-1"))
	lose(w, "a", 0, 2)
	w.ReconcileKey(zonesKey)
	pass(w, time.Hour)
	become(w, "a-0", corev1.ConditionTrue)
	w.ReconcileKey(zonesKey)
	editNode(w, "a-1", func(n *corev1.Node) { n.Status.Conditions[0].Status = corev1.ConditionTrue })
	w.ReconcileKey(keyOf("a-1"))
	pass(w, 49*time.Second)
	w.ReconcileKey(keyOf("a-1"))
	want(t, "condition", corev1.ConditionTrue, getNode(w, "a-1").Status.Conditions[0].Status)
}

func TestExcludedNodesDoNotCount(t *testing.T) {
	w := cluster(t, 4)
	for i := range 3 {
		editNode(w, fmt.Sprint("a-", i), func(n *corev1.Node) { n.Labels[labelExcluded] = "" })
	}
	lose(w, "a", 0, 3)
	run := w.ReconcileKey(zonesKey)
	want(t, "driven", map[string]int{"a": 1}, driven(w))
	for _, m := range run.Metrics {
		if m.Name == "zone_size" {
			want(t, "size", 1.0, m.Value)
		}
	}
}

func TestZoneMetrics(t *testing.T) {
	w := cluster(t, 4)
	lose(w, "a", 0, 1)
	got := map[string]float64{}
	for _, m := range w.ReconcileKey(zonesKey).Metrics {
		got[m.Name] += m.Value
	}
	if got["evictions_total"] != 1 || got["zone_size"] == 0 {
		t.Errorf("the metrics are %v", got)
	}
	got = map[string]float64{}
	for _, m := range w.ReconcileKey(zonesKey).Metrics {
		got[m.Name] = m.Value
	}
	want(t, "metrics", map[string]float64{"zone_size": 4, "zone_health": 75, "unhealthy_nodes_in_zone": 1}, got)
}

func TestNodeThatHasTheControllersName(t *testing.T) {
	w := cluster(t, 1)
	w.AddObjects(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: controllerName}})
	if run := w.ReconcileKey(zonesKey); len(run.Log) != 1 || !strings.Contains(run.Log[0], "give it another one") {
		t.Errorf("nobody is told that it is not kept: %q", run.Log)
	}
}

// TestZoneWithoutNodes: its last metrics say so, and nothing is remembered of it.
func TestZoneWithoutNodes(t *testing.T) {
	w := cluster(t, 2, 1)
	w.Remove("Node", "", "b-0")
	got := map[string]float64{}
	for _, m := range w.ReconcileKey(zonesKey).Metrics {
		if m.Labels[0] == ":b" {
			got[m.Name] = m.Value
		}
	}
	want(t, "metrics", map[string]float64{"zone_size": 0, "zone_health": 100, "unhealthy_nodes_in_zone": 0}, got)
	if z := decodeZones(memoOf(w)).zones[":b"]; z != nil {
		t.Errorf("it is remembered as %+v", z)
	}
}
