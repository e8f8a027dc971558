//go:build !wasip1

package main

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func TestSlicesHoldWhatTheServiceSelects(t *testing.T) {
	a, b := "192.0.2.1 ready serving node=n1 zone=z1 pod=a", "192.0.2.2 node=n2 zone=z2 pod=b"
	for _, tc := range []struct {
		name   string
		change func(w *sdktest.World)
		want   []string
	}{
		{name: "ready and not", want: []string{a, b}},
		{name: "not ready ones may be published", want: []string{a, "192.0.2.2 ready node=n2 zone=z2 pod=b"}, change: func(w *sdktest.World) {
			editService(w, func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = true })
		}},
		{name: "ended Pods are out", want: []string{b}, change: func(w *sdktest.World) {
			editPod(w, "a", func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodFailed })
		}},
		{name: "terminating Pods serve on", want: []string{"192.0.2.1 serving terminating node=n1 zone=z1 pod=a", b}, change: func(w *sdktest.World) {
			editPod(w, "a", func(pod *corev1.Pod) { pod.DeletionTimestamp = &metav1.Time{Time: w.Now} })
		}},
		{name: "a hostname within the Service", want: []string{"192.0.2.1 ready serving node=n1 zone=z1 hostname=first pod=a", b}, change: func(w *sdktest.World) {
			editPod(w, "a", func(pod *corev1.Pod) { pod.Spec.Hostname, pod.Spec.Subdomain = "first", "web" })
		}},
		{name: "a Node without a zone", want: []string{"192.0.2.1 ready serving node=n1 pod=a", b}, change: func(w *sdktest.World) {
			sdktest.Edit(w, "Node", "", "n1", func(n *corev1.Node) { n.Labels = nil })
		}},
		{name: "nothing leaves a place", want: nil, change: func(w *sdktest.World) {
			w.Remove("Pod", "shop", "a")
			w.Remove("Pod", "shop", "b")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := world(t, "endpointslice", web)
			if tc.change != nil {
				tc.change(w)
			}
			w.Reconcile("shop/web")
			o := oneSlice(t, w)
			want(t, "endpoints", tc.want, endpointTexts(o))
			w.Reconcile("shop/web").Want(t) // and all is well then
		})
	}
}

func TestSliceMetadata(t *testing.T) {
	w := world(t, "endpointslice", web)
	editService(w, func(s *corev1.Service) { s.Labels[corev1.IsHeadlessService] = "no" })
	w.Reconcile("shop/web")
	o := oneSlice(t, w)
	labels := map[string]string{"team": "blue", discoveryv1.LabelServiceName: "web", discoveryv1.LabelManagedBy: sliceManager}
	want(t, "labels", labels, o.Labels)
	want(t, "prefix", "web-", o.GenerateName)
	want(t, "annotations", map[string]string{corev1.EndpointsLastChangeTriggerTime: "2026-01-01T00:00:00Z"}, o.Annotations)
	if len(o.OwnerReferences) != 1 || o.OwnerReferences[0].UID != "uid-web" || !*o.OwnerReferences[0].Controller || !*o.OwnerReferences[0].BlockOwnerDeletion {
		t.Errorf("the slice is not the Service's: %v", o.OwnerReferences)
	}
	want(t, "type", discoveryv1.AddressTypeIPv4, o.AddressType)
	want(t, "ports", "http:8080/TCP", fmt.Sprintf("%s:%d/%s", *o.Ports[0].Name, *o.Ports[0].Port, *o.Ports[0].Protocol))

	editService(w, func(s *corev1.Service) { s.Labels["team"] = "green" })
	if run := w.Reconcile("shop/web"); verbsOf(run)["update"] != 1 {
		t.Errorf("a new label of the Service is not passed on: %q", run.Lines())
	}
	want(t, "label", "green", oneSlice(t, w).Labels["team"])
}

func TestSlicesOfTwoFamilies(t *testing.T) {
	w := world(t, "endpointslice", web)
	editPod(w, "a", func(pod *corev1.Pod) { pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: "2001:db8::1"}) })
	editService(w, func(s *corev1.Service) {
		s.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	})
	w.Reconcile("shop/web")
	got := map[discoveryv1.AddressType]int{}
	for _, o := range slicesIn(w) {
		got[o.AddressType] += len(o.Endpoints)
	}
	want(t, "endpoints", map[discoveryv1.AddressType]int{"IPv4": 2, "IPv6": 1}, got)

	editService(w, func(s *corev1.Service) { s.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv6Protocol} })
	w.Reconcile("shop/web")
	want(t, "type", discoveryv1.AddressTypeIPv6, oneSlice(t, w).AddressType)
}

func TestPodWithoutItsNodeIsLeftOut(t *testing.T) {
	w := world(t, "endpointslice", web)
	w.Remove("Node", "", "n1")
	run := w.Reconcile("shop/web")
	if !strings.Contains(run.Err, "skipping Pod a for Service shop/web: Node n1 Not Found") || verbsOf(run)["event"] != 1 {
		t.Errorf("the missing Node passes unsaid: %q", run.Lines())
	}
	want(t, "endpoints", []string{"192.0.2.2 node=n2 zone=z2 pod=b"}, endpointTexts(oneSlice(t, w)))
	editService(w, func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = true })
	if run := w.Reconcile("shop/web"); run.Err != "" {
		t.Errorf("where everything is published, its Node does not matter: %s", run.Err)
	}
	want(t, "endpoints", 2, len(oneSlice(t, w).Endpoints))
}

func TestNothingIsCreatedForAServiceThatGoes(t *testing.T) {
	w := world(t, "endpointslice", web)
	editService(w, func(s *corev1.Service) { s.DeletionTimestamp = &metav1.Time{Time: w.Now} })
	w.Reconcile("shop/web").Want(t)
}

func TestSliceOfAServiceOfTheSameName(t *testing.T) {
	w := world(t, "endpointslice", web)
	w.Reconcile("shop/web")
	editService(w, func(s *corev1.Service) { s.UID = "uid-new" })
	run := w.Reconcile("shop/web")
	want(t, "verbs", map[string]int{"create": 1, "delete": 1}, verbsOf(run))
	want(t, "owner", "uid-new", string(oneSlice(t, w).OwnerReferences[0].UID))
}

func TestSliceThatGoesIsReplaced(t *testing.T) {
	w := world(t, "endpointslice", web)
	w.Reconcile("shop/web")
	name := oneSlice(t, w).Name
	sdktest.Edit(w, "EndpointSlice", "shop", name, func(o *discoveryv1.EndpointSlice) { o.DeletionTimestamp = &metav1.Time{Time: w.Now} })
	want(t, "verbs", map[string]int{"create": 1}, verbsOf(w.Reconcile("shop/web")))
}

func TestSliceThatOthersEditIsRestored(t *testing.T) {
	w := world(t, "endpointslice", web)
	w.Reconcile("shop/web")
	name := oneSlice(t, w).Name
	sdktest.Edit(w, "EndpointSlice", "shop", name, func(o *discoveryv1.EndpointSlice) { o.Endpoints = nil })
	want(t, "verbs", map[string]int{"update": 1}, verbsOf(w.Reconcile("shop/web")))
	want(t, "endpoints", 2, len(oneSlice(t, w).Endpoints))
}
