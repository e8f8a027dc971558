//go:build !wasip1

package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// subsetTexts describes subsets: ports, addresses, and in brackets those that are
// not ready.
func subsetTexts(e *corev1.Endpoints) []string {
	address := func(a corev1.EndpointAddress) string {
		out := a.IP
		if a.Hostname != "" {
			out += "=" + a.Hostname
		}
		return out
	}
	var out []string
	for _, s := range e.Subsets {
		var words []string
		for _, p := range s.Ports {
			words = append(words, fmt.Sprintf("%s:%d/%s", p.Name, p.Port, p.Protocol))
		}
		for _, a := range s.Addresses {
			words = append(words, address(a))
		}
		for _, a := range s.NotReadyAddresses {
			words = append(words, "("+address(a)+")")
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

func TestEndpointsHoldWhatTheServiceSelects(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(w *sdktest.World)
		want   []string
	}{
		{name: "ready and not", want: []string{"http:8080/TCP 192.0.2.1 (192.0.2.2)"}},
		{name: "not ready ones may be published", want: []string{"http:8080/TCP 192.0.2.1 192.0.2.2"}, change: func(w *sdktest.World) {
			editService(w, func(s *corev1.Service) { s.Spec.PublishNotReadyAddresses = true })
		}},
		{name: "ended Pods are out", want: []string{"http:8080/TCP (192.0.2.2)"}, change: func(w *sdktest.World) {
			editPod(w, "a", func(pod *corev1.Pod) { pod.Status.Phase = corev1.PodSucceeded })
		}},
		{name: "terminating Pods are out", want: []string{"http:8080/TCP (192.0.2.2)"}, change: func(w *sdktest.World) {
			editPod(w, "a", func(pod *corev1.Pod) { pod.DeletionTimestamp = &metav1.Time{Time: w.Now} })
		}},
		{name: "Pods without an address are out", want: []string{"http:8080/TCP 192.0.2.1"}, change: func(w *sdktest.World) {
			editPod(w, "b", func(pod *corev1.Pod) { pod.Status.PodIP, pod.Status.PodIPs = "", nil })
		}},
		{name: "addresses are written regularly", want: []string{"http:8080/TCP 10.1.2.3 (192.0.2.2)"}, change: func(w *sdktest.World) {
			editPod(w, "a", func(pod *corev1.Pod) { pod.Status.PodIPs = []corev1.PodIP{{IP: "010.001.2.003"}} })
		}},
		{name: "the Service's first family counts", want: []string{"http:8080/TCP 2001:db8::1"}, change: func(w *sdktest.World) {
			editService(w, func(s *corev1.Service) {
				s.Spec.IPFamilies = []corev1.IPFamily{corev1.IPv6Protocol, corev1.IPv4Protocol}
			})
			editPod(w, "a", func(pod *corev1.Pod) {
				pod.Status.PodIPs = append(pod.Status.PodIPs, corev1.PodIP{IP: "2001:DB8:0::1"})
			})
		}},
		{name: "ports by name, and several", want: []string{"dns:5353/UDP web:8080/TCP 192.0.2.1 (192.0.2.2)"}, change: func(w *sdktest.World) {
			editService(w, func(s *corev1.Service) {
				s.Spec.Ports = []corev1.ServicePort{
					{Name: "web", Port: 81, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromString("http")},
					{Name: "dns", Port: 53, Protocol: corev1.ProtocolUDP, TargetPort: intstr.FromInt32(5353)},
				}
			})
		}},
		{name: "ports that only some have", want: []string{"http:8080/TCP 192.0.2.1", "http:9090/TCP (192.0.2.2)"}, change: func(w *sdktest.World) {
			editService(w, func(s *corev1.Service) { s.Spec.Ports[0].TargetPort = intstr.FromString("http") })
			editPod(w, "b", func(pod *corev1.Pod) { pod.Spec.Containers[0].Ports[0].ContainerPort = 9090 })
		}},
		{name: "headless without ports", want: []string{"192.0.2.1=first (192.0.2.2)"}, change: func(w *sdktest.World) {
			editService(w, func(s *corev1.Service) { s.Spec.ClusterIP, s.Spec.Ports = corev1.ClusterIPNone, nil })
			editPod(w, "a", func(pod *corev1.Pod) { pod.Spec.Hostname, pod.Spec.Subdomain = "first", "web" })
			editPod(w, "b", func(pod *corev1.Pod) { pod.Spec.Hostname, pod.Spec.Subdomain = "second", "elsewhere" })
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := world(t, "endpoints", web)
			if tc.change != nil {
				tc.change(w)
			}
			w.Reconcile("shop/web").Want(t, "create Endpoints shop/web")
			want(t, "subsets", tc.want, subsetTexts(sdktest.Get[*corev1.Endpoints](w, "Endpoints", "shop", "web")))
			w.Reconcile("shop/web").Want(t) // and all is well then
		})
	}
}

func TestEndpointsMetadata(t *testing.T) {
	w := world(t, "endpoints", web)
	w.Reconcile("shop/web")
	e := sdktest.Get[*corev1.Endpoints](w, "Endpoints", "shop", "web")
	want(t, "labels", map[string]string{"team": "blue", labelEndpointsManagedBy: endpointsManager}, e.Labels)
	want(t, "annotations", map[string]string{corev1.EndpointsLastChangeTriggerTime: "2026-01-01T00:00:00Z"}, e.Annotations)

	editService(w, func(s *corev1.Service) {
		s.Labels, s.Spec.ClusterIP = map[string]string{"team": "green"}, corev1.ClusterIPNone
	})
	w.Reconcile("shop/web").Want(t, "update Endpoints shop/web")
	e = sdktest.Get[*corev1.Endpoints](w, "Endpoints", "shop", "web")
	want(t, "labels", map[string]string{"team": "green", labelEndpointsManagedBy: endpointsManager, corev1.IsHeadlessService: ""}, e.Labels)
	if _, ok := e.Annotations[corev1.EndpointsLastChangeTriggerTime]; ok {
		t.Error("the trigger time of an earlier change is still there")
	}
}

func TestEndpointsInAnotherOrderAreTheSame(t *testing.T) {
	w := world(t, "endpoints", web)
	editService(w, func(s *corev1.Service) {
		s.Spec.PublishNotReadyAddresses = true
		s.Spec.Ports = append(s.Spec.Ports, corev1.ServicePort{Name: "more", Port: 82, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromInt32(8082)})
	})
	w.Reconcile("shop/web")
	sdktest.Edit(w, "Endpoints", "shop", "web", func(e *corev1.Endpoints) {
		s := &e.Subsets[0]
		s.Addresses[0], s.Addresses[1] = s.Addresses[1], s.Addresses[0]
		e.Subsets = []corev1.EndpointSubset{
			{Addresses: s.Addresses, Ports: s.Ports[1:]},
			{Addresses: s.Addresses, Ports: s.Ports[:1]},
		}
		e.Subsets[0].Addresses[0].TargetRef.ResourceVersion = "7"
	})
	w.Reconcile("shop/web").Want(t)
}

func TestEndpointsOverCapacity(t *testing.T) {
	for _, tc := range []struct {
		name            string
		ready, notReady int
		wantReady       int
		wantNotReady    int
	}{
		{name: "just full", ready: 998, notReady: 2, wantReady: 998, wantNotReady: 2},
		{name: "not ready ones go first", ready: 900, notReady: 200, wantReady: 900, wantNotReady: 100},
		{name: "too many are ready", ready: 1100, notReady: 3, wantReady: 1000},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := world(t, "endpoints", web)
			w.Remove("Pod", "shop", "a")
			w.Remove("Pod", "shop", "b")
			addPods(w, 0, tc.ready+tc.notReady)
			for i := range tc.notReady {
				setReady(w, fmt.Sprint("pod-", i), false, w.Now)
			}
			w.Reconcile("shop/web")
			e := sdktest.Get[*corev1.Endpoints](w, "Endpoints", "shop", "web")
			want(t, "ready", tc.wantReady, len(e.Subsets[0].Addresses))
			want(t, "not ready", tc.wantNotReady, len(e.Subsets[0].NotReadyAddresses))
			truncated := ""
			if tc.ready+tc.notReady > capacity {
				truncated = "truncated"
			}
			want(t, "annotation", truncated, e.Annotations[corev1.EndpointsOverCapacity])
		})
	}
}

func TestEndpointsWithoutService(t *testing.T) {
	initial := []abi.Reason{{Type: abi.ReasonTypeInitial}}
	t.Run("go with it", func(t *testing.T) {
		w := world(t, "endpoints", web)
		w.Reconcile("shop/web")
		w.Remove("Service", "shop", "web")
		w.Reconcile("shop/web").Want(t, "delete Endpoints shop/web")
		w.Reconcile("shop/web").Want(t)
	})
	t.Run("go with it also where a user wrote them", func(t *testing.T) {
		w := world(t, "endpoints", custom)
		w.Reconcile("shop/db").Want(t)
		w.Remove("Service", "shop", "db")
		w.Reconcile("shop/db").Want(t, "delete Endpoints shop/db")
	})
	t.Run("are left over from before", func(t *testing.T) {
		w := world(t, "endpoints", custom)
		w.Remove("Service", "shop", "db")
		w.Reasons = initial
		w.Reconcile("shop/db").Want(t, "delete Endpoints shop/db")
	})
	t.Run("are a lock", func(t *testing.T) {
		w := world(t, "endpoints", custom)
		w.Remove("Service", "shop", "db")
		sdktest.Edit(w, "Endpoints", "shop", "db", func(e *corev1.Endpoints) { e.Annotations[annotationLeader] = "{}" })
		w.Reasons = initial
		w.Reconcile("shop/db").Want(t)
	})
	t.Run("are new", func(t *testing.T) {
		w := world(t, "endpoints", custom)
		w.Remove("Service", "shop", "db")
		w.Reasons = []abi.Reason{{Type: abi.ReasonTypeAdded}}
		w.Reconcile("shop/db").Want(t)
	})
}

func TestEndpointsFailures(t *testing.T) {
	forbidden := func(cause metav1.CauseType) func(*abi.Action) *abi.Result {
		return func(a *abi.Action) *abi.Result {
			if a.Verb == abi.VerbEvent {
				return nil
			}
			err := apierrors.NewForbidden(schema.GroupResource{Resource: "endpoints"}, a.Name, errors.New("no"))
			if cause != "" {
				err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: cause}}
			}
			result := sdktest.Failure(err)
			return &result
		}
	}
	w := world(t, "endpoints", web)
	w.OnAction = forbidden("")
	run := w.Reconcile("shop/web")
	if got := strings.Join(run.Lines(), "\n"); !strings.Contains(got, "event Warning FailedToCreateEndpoint: Failed to create endpoint for service shop/web: ") || run.Err == "" {
		t.Errorf("a refused creation passes unsaid:\n%s", got)
	}
	w.OnAction = forbidden(corev1.NamespaceTerminatingCause)
	if run := w.Reconcile("shop/web"); run.Err != "" || len(run.Done) != 1 {
		t.Errorf("a Namespace that is being terminated is an error: %q", run.Lines())
	}
	w.OnAction = nil
	w.Reconcile("shop/web")
	setReady(w, "b", true, w.Now)
	w.OnAction = forbidden("")
	if got := strings.Join(w.Reconcile("shop/web").Lines(), "\n"); !strings.Contains(got, "event Warning FailedToUpdateEndpoint: Failed to update endpoint shop/web: ") {
		t.Errorf("a refused update passes unsaid:\n%s", got)
	}
}

func TestServicesWithoutSelectorAreLeftAlone(t *testing.T) {
	for _, controller := range []string{"endpoints", "endpointslice"} {
		w := world(t, controller, web)
		editService(w, func(s *corev1.Service) { s.Spec.Selector = nil })
		w.Reconcile("shop/web").Want(t)
		editService(w, func(s *corev1.Service) {
			s.Spec.Selector, s.Spec.Type = map[string]string{"app": "web"}, corev1.ServiceTypeExternalName
		})
		w.Reconcile("shop/web").Want(t)
	}
}
