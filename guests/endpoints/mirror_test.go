//go:build !wasip1

package main

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func editCustom(w *sdktest.World, f func(*corev1.Endpoints)) {
	sdktest.Edit(w, "Endpoints", "shop", "db", f)
}

// mirrorTexts describes all slices, by their kind of address.
func mirrorTexts(w *sdktest.World) map[string][]string {
	out := map[string][]string{}
	for _, o := range slicesIn(w) {
		out[string(o.AddressType)] = append(out[string(o.AddressType)], endpointTexts(o)...)
	}
	return out
}

func TestEndpointsAreMirrored(t *testing.T) {
	w := world(t, "endpointslicemirroring", custom)
	want(t, "writes", map[string]int{"create": 2}, verbsOf(w.Reconcile("shop/db")))
	want(t, "endpoints", map[string][]string{"IPv4": {"192.0.2.10 ready", "192.0.2.11"}, "IPv6": {"2001:db8::1 ready"}}, mirrorTexts(w))
	o := slicesIn(w)[0]
	want(t, "labels", map[string]string{"own": "label", discoveryv1.LabelServiceName: "db", discoveryv1.LabelManagedBy: mirrorManager}, o.Labels)
	want(t, "annotations", map[string]string{"example.com/note": "kept"}, o.Annotations)
	if len(o.OwnerReferences) != 1 || o.OwnerReferences[0].Kind != "Endpoints" || o.OwnerReferences[0].UID != "uid-db-endpoints" {
		t.Errorf("the slice belongs to somebody else: %v", o.OwnerReferences)
	}
	w.Reconcile("shop/db").Want(t)
}

func TestMirrorsFollow(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*corev1.Endpoints)
		want   map[string]int
	}{
		{"an address", func(e *corev1.Endpoints) { e.Subsets[0].Addresses[0].IP = "192.0.2.20" }, map[string]int{"update": 1}},
		{"an address that becomes ready", func(e *corev1.Endpoints) {
			e.Subsets[0].Addresses = append(e.Subsets[0].Addresses, e.Subsets[0].NotReadyAddresses...)
			e.Subsets[0].NotReadyAddresses = nil
		}, map[string]int{"update": 1}},
		{"a label", func(e *corev1.Endpoints) { e.Labels["own"] = "other" }, map[string]int{"update": 2}},
		{"an annotation", func(e *corev1.Endpoints) { e.Annotations["example.com/note"] = "new" }, map[string]int{"update": 2}},
		{"the trigger time, which is not theirs", func(e *corev1.Endpoints) {
			e.Annotations[corev1.EndpointsLastChangeTriggerTime] = "2026-01-01T00:00:00Z"
		}, map[string]int{}},
		{"other ports, in the slices that there are", func(e *corev1.Endpoints) { e.Subsets[0].Ports[0].Port = 5433 }, map[string]int{"update": 2}},
		{"no address of a family", func(e *corev1.Endpoints) { e.Subsets[0].Addresses = e.Subsets[0].Addresses[:1] }, map[string]int{"delete": 1}},
		{"other Endpoints of that name", func(e *corev1.Endpoints) { e.UID = "uid-new" }, map[string]int{"update": 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := world(t, "endpointslicemirroring", custom)
			w.Reconcile("shop/db")
			editCustom(w, tc.change)
			want(t, "writes", tc.want, verbsOf(w.Reconcile("shop/db")))
			w.Reconcile("shop/db").Want(t)
		})
	}
}

func TestMirrorsGo(t *testing.T) {
	for name, change := range map[string]func(w *sdktest.World){
		"with the Endpoints":          func(w *sdktest.World) { w.Remove("Endpoints", "shop", "db") },
		"with the Service":            func(w *sdktest.World) { w.Remove("Service", "shop", "db") },
		"where it has got a selector": func(w *sdktest.World) { selecting(w, map[string]string{"app": "db"}) },
		"where they are not wanted": func(w *sdktest.World) {
			editCustom(w, func(e *corev1.Endpoints) { e.Labels[discoveryv1.LabelSkipMirror] = "true" })
		},
		"where the Endpoints are held": func(w *sdktest.World) {
			editCustom(w, func(e *corev1.Endpoints) { e.Annotations[annotationLeader] = "{}" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := world(t, "endpointslicemirroring", custom)
			w.Reconcile("shop/db")
			change(w)
			want(t, "writes", map[string]int{"delete": 2}, verbsOf(w.Reconcile("shop/db")))
		})
	}
}

func selecting(w *sdktest.World, selector map[string]string) {
	sdktest.Edit(w, "Service", "shop", "db", func(s *corev1.Service) { s.Spec.Selector = selector })
}

func TestSlicesOfOthersAreNotTouched(t *testing.T) {
	w := world(t, "endpointslicemirroring", custom)
	w.AddObjects(&discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: "db-own", Namespace: "shop", Labels: map[string]string{discoveryv1.LabelServiceName: "db"}},
		AddressType: discoveryv1.AddressTypeIPv4,
	})
	w.Remove("Endpoints", "shop", "db")
	w.Reconcile("shop/db").Want(t)
}

func TestWhatCannotBeMirrored(t *testing.T) {
	w := world(t, "endpointslicemirroring", custom)
	w.Config = `{"mirroringMaxEndpointsPerSubset": 5}`
	editCustom(w, func(e *corev1.Endpoints) {
		e.Subsets[0].Addresses = []corev1.EndpointAddress{{IP: "0.nowhere"}}
		for i := range 6 {
			e.Subsets[0].Addresses = append(e.Subsets[0].Addresses, corev1.EndpointAddress{IP: fmt.Sprint("192.0.2.", 20+i)})
		}
	})
	run := w.Reconcile("shop/db")
	want(t, "events", "event Warning InvalidIPAddress: Skipped 1 invalid IP addresses when mirroring to EndpointSlices\n"+
		"event Warning TooManyAddressesToMirror: A max of 5 addresses can be mirrored to EndpointSlices per Endpoints subset. 3 addresses were skipped", eventsOf(run))
	want(t, "kinds of address", []string{"IPv4"}, slices.Collect(maps.Keys(mirrorTexts(w))))
	want(t, "endpoints", 5, len(oneSlice(t, w).Endpoints))
}
