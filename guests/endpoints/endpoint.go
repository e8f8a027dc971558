package main

import (
	"slices"
	"strings"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
)

// endpointOf is a Pod as an endpoint, if it has an address of that family.
func endpointOf(pod corev1.Pod, nodeLabels view.StringMap, s *service, family string) (discoveryv1.Endpoint, bool) {
	ips := addresses(pod, family)
	if len(ips) == 0 {
		return nil, false
	}
	serving, terminating := meta.IsPodReady(pod), pod.Metadata().HasDeletionTimestamp()
	ready := s.spec.PublishNotReadyAddresses() || serving && !terminating
	e := discoveryv1.Endpoint(nil).
		WithAddresses(ips...).
		WithConditions(discoveryv1.EndpointConditions(nil).WithReady(ready).WithServing(serving).WithTerminating(terminating)).
		WithTargetRef(refTo(pod))
	if name := hostname(pod, s); name != "" {
		e = e.WithHostname(name)
	}
	if node := pod.Spec().NodeName(); node != "" {
		e = e.WithNodeName(node)
	}
	if zone, _ := nodeLabels.Get(corev1.LabelTopologyZone); zone != "" {
		e = e.WithZone(zone)
	}
	return e, true
}

// identity tells endpoints apart. One that changes otherwise stays where it is.
func identity(e discoveryv1.Endpoint) string {
	ips := slices.Sorted(e.Addresses())
	ref := e.TargetRef()
	return strings.Join(ips, ",") + " " + e.Hostname() + " " + ref.Namespace() + "/" + ref.Name()
}

// sameEndpoint compares two endpoints of the same identity, but for their hints.
func sameEndpoint(a, b discoveryv1.Endpoint) bool {
	x, y := a.Conditions(), b.Conditions()
	return a.HasNodeName() == b.HasNodeName() && a.NodeName() == b.NodeName() &&
		a.HasZone() == b.HasZone() && a.Zone() == b.Zone() &&
		x.HasReady() == y.HasReady() && x.Ready() == y.Ready() &&
		x.HasServing() == y.HasServing() && x.Serving() == y.Serving() &&
		x.HasTerminating() == y.HasTerminating() && x.Terminating() == y.Terminating() &&
		a.HasTargetRef() == b.HasTargetRef() && sameRef(a.TargetRef(), b.TargetRef())
}

// endpointSet is endpoints, each once. First some are taken out, then the rest is
// handed out in order.
type endpointSet struct {
	list  []discoveryv1.Endpoint // nil for those that were taken
	place map[string]int         // nil once the rest is handed out
	left  int
}

func newEndpointSet() *endpointSet { return &endpointSet{place: map[string]int{}} }

func (s *endpointSet) add(e discoveryv1.Endpoint) {
	id := identity(e)
	if i, ok := s.place[id]; ok {
		s.list[i] = e
		return
	}
	s.place[id] = len(s.list)
	s.list = append(s.list, e)
	s.left++
}

// take takes the endpoint with the identity of another out of the set.
func (s *endpointSet) take(like discoveryv1.Endpoint) (discoveryv1.Endpoint, bool) {
	i, ok := s.place[identity(like)]
	if !ok || s.list[i] == nil {
		return nil, false
	}
	e := s.list[i]
	s.list[i] = nil
	s.left--
	return e, true
}

// fill moves endpoints to a list until it has so many or none is left.
func (s *endpointSet) fill(list []discoveryv1.Endpoint, most int) []discoveryv1.Endpoint {
	if s.place != nil {
		s.list = slices.DeleteFunc(s.list, func(e discoveryv1.Endpoint) bool { return e == nil })
		slices.SortFunc(s.list, func(a, b discoveryv1.Endpoint) int { return strings.Compare(identity(a), identity(b)) })
		s.place = nil
	}
	n := min(s.left, max(0, most-len(list)))
	list = append(list, s.list[:n]...)
	s.list = s.list[n:]
	s.left -= n
	return list
}
