//go:build !wasip1

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const oneNode = "testdata/node.yaml"

// keyOf is the key of a node in the controller nodelifecycle.
func keyOf(node string) abi.Key { return abi.Key{Name: node} }

var zonesKey = abi.Key{Name: controllerName}

// seen is a World in which the node n1 has been looked at once.
func seen(t *testing.T) *sdktest.World {
	t.Helper()
	w := sdktest.New(t, oneNode)
	w.Controller = controllerName
	w.Observe("Lease", leaseNamespace, "n1", w.Now)
	w.ReconcileKey(keyOf("n1"))
	return w
}

// pass moves the clock.
func pass(w *sdktest.World, d time.Duration) { w.Now = w.Now.Add(d) }

func editNode(w *sdktest.World, name string, f func(*corev1.Node)) {
	sdktest.Edit(w, "Node", "", name, f)
}

// report sets a condition as a kubelet does, with a heartbeat.
func report(w *sdktest.World, name string, typ corev1.NodeConditionType, status corev1.ConditionStatus) {
	editNode(w, name, func(n *corev1.Node) {
		is := corev1.NodeCondition{Type: typ, Status: status, LastHeartbeatTime: metav1.NewTime(w.Now), LastTransitionTime: metav1.NewTime(w.Now)}
		for i, c := range n.Status.Conditions {
			if c.Type == typ {
				n.Status.Conditions[i] = is
				return
			}
		}
		n.Status.Conditions = append(n.Status.Conditions, is)
	})
}

func getNode(w *sdktest.World, name string) *corev1.Node {
	return sdktest.Get[*corev1.Node](w, "Node", "", name)
}

// taintsOf lists a node's taints, as effect and the last part of the key.
func taintsOf(w *sdktest.World, name string) []string {
	var out []string
	for _, t := range getNode(w, name).Spec.Taints {
		out = append(out, string(t.Effect)+" "+t.Key[strings.LastIndex(t.Key, "/")+1:])
	}
	return out
}

// conditionsOf lists a node's conditions.
func conditionsOf(w *sdktest.World, name string) []string {
	var out []string
	for _, c := range getNode(w, name).Status.Conditions {
		out = append(out, strings.TrimSpace(string(c.Type)+" "+string(c.Status)+" "+c.Reason))
	}
	return out
}

func getPod(w *sdktest.World, name string) *corev1.Pod {
	return sdktest.Get[*corev1.Pod](w, "Pod", "shop", name)
}

func podReady(w *sdktest.World, name string) corev1.ConditionStatus {
	for _, c := range getPod(w, name).Status.Conditions {
		if c.Type == corev1.PodReady {
			return c.Status
		}
	}
	return ""
}

func want[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// renew renews the node's Lease, and tells that the host saw it now.
func renew(w *sdktest.World, name string) {
	sdktest.Edit(w, "Lease", leaseNamespace, name, func(l *coordinationv1.Lease) { l.Spec.RenewTime = &metav1.MicroTime{Time: w.Now} })
	w.Observe("Lease", leaseNamespace, name, w.Now)
}

// eventsOf is the Events of a run.
func eventsOf(run *sdktest.Run) []string {
	var out []string
	for _, line := range run.Lines() {
		if rest, ok := strings.CutPrefix(line, "event "); ok {
			out = append(out, rest)
		}
	}
	return out
}
