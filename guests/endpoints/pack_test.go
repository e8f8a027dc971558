//go:build !wasip1

package main

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// packed is a World of that many Pods, packed into slices of ten.
func packed(t *testing.T, pods int) *sdktest.World {
	t.Helper()
	w := world(t, "endpointslice", web)
	w.Config = `{"maxEndpointsPerSlice": 10}`
	w.Remove("Pod", "shop", "a")
	w.Remove("Pod", "shop", "b")
	addPods(w, 0, pods)
	w.Reconcile("shop/web")
	return w
}

func TestPacking(t *testing.T) {
	remove := func(from, to int) func(*sdktest.World) {
		return func(w *sdktest.World) {
			for i := from; i < to; i++ {
				w.Remove("Pod", "shop", fmt.Sprint("pod-", i))
			}
		}
	}
	for _, tc := range []struct {
		name   string
		pods   int
		change func(w *sdktest.World)
		want   map[string]int
		sizes  []int
	}{
		{name: "as many as there are places", pods: 20, sizes: []int{10, 10}},
		{name: "the last one is not full", pods: 23, sizes: []int{10, 10, 3}},
		{name: "one more goes where there is room", pods: 23, change: func(w *sdktest.World) { addPods(w, 100, 101) }, want: map[string]int{"update": 1}, sizes: []int{10, 10, 4}},
		{name: "none has room for all, so that a new one is made", pods: 18, change: func(w *sdktest.World) { addPods(w, 100, 103) }, want: map[string]int{"create": 1}, sizes: []int{10, 8, 3}},
		{name: "what must be written is filled", pods: 20, change: func(w *sdktest.World) { remove(0, 3)(w); addPods(w, 100, 105) }, want: map[string]int{"update": 1, "create": 1}, sizes: []int{10, 10, 2}},
		{name: "places of those that go are left empty", pods: 20, change: remove(0, 9), want: map[string]int{"update": 1}, sizes: []int{1, 10}},
		{name: "a slice without endpoints goes", pods: 20, change: remove(0, 10), want: map[string]int{"delete": 1}, sizes: []int{10}},
		{name: "but the last becomes the place that is kept", pods: 5, change: remove(0, 5), want: map[string]int{"update": 1}, sizes: []int{0}},
		{name: "a change stays in its slice", pods: 20, change: func(w *sdktest.World) { setReady(w, "pod-3", false, w.Now) }, want: map[string]int{"update": 1}, sizes: []int{10, 10}},
		{name: "other ports take over the slices", pods: 20, change: func(w *sdktest.World) {
			editService(w, func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromInt32(9090) })
		}, want: map[string]int{"update": 2}, sizes: []int{10, 10}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := packed(t, tc.pods)
			if tc.change != nil {
				tc.change(w)
				want(t, "writes", tc.want, verbsOf(w.Reconcile("shop/web")))
			}
			want(t, "sizes", tc.sizes, sizes(w))
			w.Reconcile("shop/web").Want(t)
		})
	}
}

func TestPortsThatOnlySomeHave(t *testing.T) {
	w := world(t, "endpointslice", web)
	editService(w, func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
	editPod(w, "b", func(pod *corev1.Pod) { pod.Spec.Containers[0].Ports[0].ContainerPort = 9090 })
	w.Reconcile("shop/web")
	want(t, "sizes", []int{1, 1}, sizes(w))
	editPod(w, "b", func(pod *corev1.Pod) { pod.Spec.Containers[0].Ports[0].ContainerPort = 8080 })
	w.Reconcile("shop/web")
	want(t, "sizes", []int{2}, sizes(w))
}

func TestTriggerTimes(t *testing.T) {
	w := world(t, "endpointslice", web)
	trigger := func() string {
		w.Reconcile("shop/web")
		return oneSlice(t, w).Annotations[corev1.EndpointsLastChangeTriggerTime]
	}
	want(t, "of a new Service", "2026-01-01T00:00:00Z", trigger())
	setReady(w, "a", false, w.Now)
	setReady(w, "b", true, w.Now.Add(-time.Minute))
	want(t, "of the earliest change", "2026-01-02T03:03:05Z", trigger())
	editService(w, func(s *corev1.Service) { s.Labels["team"] = "red" })
	want(t, "of a change without a time", "", trigger())
}

func TestTriggerTimesOfManyPods(t *testing.T) {
	w := packed(t, 3*mostSeen)
	for i := range 3 * mostSeen {
		setReady(w, fmt.Sprint("pod-", i), true, w.Now.Add(time.Duration(i)*time.Second))
	}
	w.Reconcile("shop/web")
	run := w.Reconcile("shop/web")
	want(t, "writes", map[string]int{}, verbsOf(run))
	if len(run.Response.Memo) > 4096 {
		t.Errorf("the memo has %d bytes", len(run.Response.Memo))
	}
	setReady(w, "pod-7", false, w.Now.Add(24*time.Hour))
	run = w.Reconcile("shop/web")
	want(t, "writes", map[string]int{"update": 1}, verbsOf(run))
	changed := 0
	for _, o := range slicesIn(w) {
		if o.Annotations[corev1.EndpointsLastChangeTriggerTime] == "2026-01-03T03:04:05Z" {
			changed++
		}
	}
	want(t, "slices with that time", 1, changed)
}
