//go:build !wasip1

package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const (
	web    = "testdata/web.yaml"
	custom = "testdata/custom.yaml"
)

// world is a World in which one of the three controllers runs.
func world(t *testing.T, controller string, sources ...string) *sdktest.World {
	t.Helper()
	w := sdktest.New(t, sources...)
	w.Controller = controller
	return w
}

func editPod(w *sdktest.World, name string, f func(*corev1.Pod)) {
	sdktest.Edit(w, "Pod", "shop", name, f)
}

func editService(w *sdktest.World, f func(*corev1.Service)) {
	sdktest.Edit(w, "Service", "shop", "web", f)
}

func setReady(w *sdktest.World, name string, ready bool, at time.Time) {
	editPod(w, name, func(pod *corev1.Pod) {
		status := corev1.ConditionFalse
		if ready {
			status = corev1.ConditionTrue
		}
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.NewTime(at)}}
	})
}

// addPods adds ready Pods with those numbers, on node n1.
func addPods(w *sdktest.World, from, to int) {
	for i := from; i < to; i++ {
		ip := fmt.Sprintf("198.51.%d.%d", 100+i/100, 100+i%100)
		w.AddObjects(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "pod-" + strconv.Itoa(i), Namespace: "shop", Labels: map[string]string{"app": "web"}},
			Spec:       corev1.PodSpec{NodeName: "n1"},
			Status: corev1.PodStatus{
				Phase: corev1.PodRunning, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
				Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			},
		})
	}
}

// sizes is how many endpoints each slice has, in order of their names.
func sizes(w *sdktest.World) []int {
	var out []int
	for _, o := range slicesIn(w) {
		out = append(out, len(o.Endpoints))
	}
	return out
}

func slicesIn(w *sdktest.World) []*discoveryv1.EndpointSlice {
	var out []*discoveryv1.EndpointSlice
	for _, name := range w.Names("EndpointSlice") {
		namespace, name, _ := strings.Cut(name, "/")
		out = append(out, sdktest.Get[*discoveryv1.EndpointSlice](w, "EndpointSlice", namespace, name))
	}
	return out
}

// oneSlice is the only slice that there is.
func oneSlice(t *testing.T, w *sdktest.World) *discoveryv1.EndpointSlice {
	t.Helper()
	all := slicesIn(w)
	if len(all) != 1 {
		t.Fatalf("there are %d slices, not one", len(all))
	}
	return all[0]
}

// endpointTexts describes endpoints, a line each.
func endpointTexts(o *discoveryv1.EndpointSlice) []string {
	flag := func(name string, v *bool) string {
		if v == nil || !*v {
			return ""
		}
		return " " + name
	}
	text := func(name string, v *string) string {
		if v == nil {
			return ""
		}
		return " " + name + "=" + *v
	}
	var out []string
	for _, e := range o.Endpoints {
		line := strings.Join(e.Addresses, ",") +
			flag("ready", e.Conditions.Ready) + flag("serving", e.Conditions.Serving) + flag("terminating", e.Conditions.Terminating) +
			text("node", e.NodeName) + text("zone", e.Zone) + text("hostname", e.Hostname)
		words := []string{line}
		if e.TargetRef != nil {
			words = append(words, "pod="+e.TargetRef.Name)
		}
		if e.Hints != nil {
			for _, zone := range e.Hints.ForZones {
				words = append(words, "for="+zone.Name)
			}
			for _, node := range e.Hints.ForNodes {
				words = append(words, "for="+node.Name)
			}
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

func quantity(s string) resource.Quantity { return resource.MustParse(s) }

func want[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// verbsOf counts the actions of a run.
func verbsOf(run *sdktest.Run) map[string]int {
	names := map[abi.Verb]string{abi.VerbCreate: "create", abi.VerbUpdate: "update", abi.VerbDelete: "delete", abi.VerbEvent: "event"}
	out := map[string]int{}
	for i := range run.Done {
		out[names[run.Done[i].Verb]]++
	}
	return out
}
