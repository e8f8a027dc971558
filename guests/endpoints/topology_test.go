//go:build !wasip1

package main

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
	"github.com/loopdock/loopdock/sdk-go/view/resource"
)

// spread is a World whose Service asks for hints, with so many ready Pods in zones
// z1 and z2, which have four processors and a little less.
func spread(t *testing.T, z1, z2 int) *sdktest.World {
	t.Helper()
	w := world(t, "endpointslice", web)
	w.Remove("Pod", "shop", "a")
	w.Remove("Pod", "shop", "b")
	addPods(w, 0, z1+z2)
	for i := range z2 {
		editPod(w, fmt.Sprint("pod-", i), func(pod *corev1.Pod) { pod.Spec.NodeName = "n2" })
	}
	editService(w, func(s *corev1.Service) { s.Annotations = map[string]string{corev1.AnnotationTopologyMode: "Auto"} })
	return w
}

// serving counts the endpoints that serve each zone.
func serving(w *sdktest.World) map[string]int {
	out := map[string]int{}
	for _, o := range slicesIn(w) {
		for _, e := range o.Endpoints {
			if e.Hints == nil {
				out["none"]++
				continue
			}
			for _, zone := range e.Hints.ForZones {
				out[zone.Name]++
			}
		}
	}
	return out
}

func eventsOf(run *sdktest.Run) string {
	var out []string
	for _, line := range run.Lines() {
		if strings.HasPrefix(line, "event ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestHintsByTopology(t *testing.T) {
	const enabled = "event Normal TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4"
	disabled := func(why string) string {
		return "event Warning TopologyAwareHintsDisabled: " + why + ", addressType: IPv4"
	}
	for _, tc := range []struct {
		name   string
		z1, z2 int
		change func(w *sdktest.World)
		want   map[string]int
		event  string
	}{
		{name: "each zone serves itself", z1: 3, z2: 3, want: map[string]int{"z1": 3, "z2": 3}, event: enabled},
		{name: "one gives to the other", z1: 8, z2: 2, want: map[string]int{"z1": 5, "z2": 5}, event: enabled},
		{
			name: "too few endpoints", z1: 1, z2: 0, want: map[string]int{"none": 1},
			event: disabled("Insufficient number of endpoints (1 endpoints, 2 zones)"),
		},
		{
			name: "shares that can't be met", z1: 1, z2: 1, want: map[string]int{"none": 2},
			change: func(w *sdktest.World) { resize(w, "n1", "10") },
			event:  disabled("Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (2 endpoints, 2 zones)"),
		},
		{
			name: "a Node without a zone", z1: 3, z2: 3, want: map[string]int{"none": 6},
			change: func(w *sdktest.World) {
				sdktest.Edit(w, "Node", "", "n1", func(n *corev1.Node) { n.Labels = nil })
			},
			event: disabled("Insufficient Node information: allocatable CPU or zone not specified on one or more nodes"),
		},
		{
			name: "one zone alone", z1: 3, z2: 3, want: map[string]int{"none": 6},
			change: func(w *sdktest.World) {
				sdktest.Edit(w, "Node", "", "n2", func(n *corev1.Node) { n.Status.Conditions[0].Status = corev1.ConditionFalse })
			},
			event: disabled("Insufficient Node information: allocatable CPU or zone not specified on one or more nodes"),
		},
		{
			name: "control planes do not count", z1: 3, z2: 3, want: map[string]int{"z1": 3, "z2": 3},
			change: func(w *sdktest.World) {
				w.AddObjects(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "cp", Labels: map[string]string{controlPlane[0]: ""}}, Status: corev1.NodeStatus{
					Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
				}})
			},
			event: enabled,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := spread(t, tc.z1, tc.z2)
			if tc.change != nil {
				tc.change(w)
			}
			run := w.Reconcile("shop/web")
			want(t, "served", tc.want, serving(w))
			want(t, "event", tc.event, eventsOf(run))
			if _, given := tc.want["none"]; !given {
				w.Reconcile("shop/web").Want(t) // and all is well then
			}
		})
	}
}

func resize(w *sdktest.World, node, processors string) {
	sdktest.Edit(w, "Node", "", node, func(n *corev1.Node) { n.Status.Allocatable[corev1.ResourceCPU] = quantity(processors) })
}

func TestHintsAreTakenAway(t *testing.T) {
	w := spread(t, 3, 3)
	w.Reconcile("shop/web")
	editService(w, func(s *corev1.Service) { s.Annotations[corev1.DeprecatedAnnotationTopologyAwareHints] = "Disabled" })
	run := w.Reconcile("shop/web")
	want(t, "served", map[string]int{"none": 6}, serving(w))
	want(t, "event", "event Warning TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, addressType: IPv4", eventsOf(run))
	w.Reconcile("shop/web").Want(t)
}

func TestHintsFollowTheNodes(t *testing.T) {
	w := spread(t, 5, 5)
	w.Reconcile("shop/web")
	resize(w, "n1", "16")
	w.Reconcile("shop/web")
	if got := serving(w); got["z1"] < 7 {
		t.Errorf("the larger zone is served by %d endpoints of ten", got["z1"])
	}
}

func TestTrafficDistribution(t *testing.T) {
	for _, tc := range []struct {
		distribution string
		want         []string
	}{
		{corev1.ServiceTrafficDistributionPreferClose, []string{
			"192.0.2.1 ready serving node=n1 zone=z1 pod=a for=z1", "192.0.2.2 node=n2 zone=z2 pod=b",
		}},
		{corev1.ServiceTrafficDistributionPreferSameZone, []string{
			"192.0.2.1 ready serving node=n1 zone=z1 pod=a for=z1", "192.0.2.2 node=n2 zone=z2 pod=b",
		}},
		{corev1.ServiceTrafficDistributionPreferSameNode, []string{
			"192.0.2.1 ready serving node=n1 zone=z1 pod=a for=z1 for=n1", "192.0.2.2 node=n2 zone=z2 pod=b",
		}},
		{"Whatever", []string{
			"192.0.2.1 ready serving node=n1 zone=z1 pod=a", "192.0.2.2 node=n2 zone=z2 pod=b",
		}},
	} {
		t.Run(tc.distribution, func(t *testing.T) {
			w := world(t, "endpointslice", web)
			w.Reconcile("shop/web") // what has been kept so far gets its hints as well
			editService(w, func(s *corev1.Service) { s.Spec.TrafficDistribution = &tc.distribution })
			w.Reconcile("shop/web")
			want(t, "endpoints", tc.want, endpointTexts(oneSlice(t, w)))
			w.Reconcile("shop/web").Want(t)
			editService(w, func(s *corev1.Service) { s.Spec.TrafficDistribution = nil })
			w.Reconcile("shop/web")
			want(t, "endpoints", []string{
				"192.0.2.1 ready serving node=n1 zone=z1 pod=a", "192.0.2.2 node=n2 zone=z2 pod=b",
			}, endpointTexts(oneSlice(t, w)))
		})
	}
}

func TestProcessors(t *testing.T) {
	for text, n := range map[string]float64{"4": 4, "3920m": 3.92, "1.5": 1.5, "250000u": 0.25, "2k": 2000, "1Ki": 1024, "": 0, "many": 0} {
		if got := processors(resource.FromString(text)); got != n {
			t.Errorf("%q is %v, not %v", text, got, n)
		}
	}
}
