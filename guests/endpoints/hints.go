package main

import (
	"slices"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
)

// hint tells by hints which endpoints serve which zones and nodes, in the way that
// the Service asks for; without that there are none.
func (s *service) hint(r *sdk.Reconcile, m *memory, family string, p *plan) error {
	if s.wantsTopology() {
		return s.hintByTopology(r, m, family, p)
	}
	if m.hinted {
		r.Event(sdk.Warning, hintsDisabled, "Topology Aware Hints has been disabled, addressType: "+family)
		m.hinted = false
	}
	switch distribution := s.spec.TrafficDistribution(); distribution {
	case corev1.ServiceTrafficDistributionPreferClose, corev1.ServiceTrafficDistributionPreferSameZone:
		p.rehint(func(e discoveryv1.Endpoint) discoveryv1.EndpointHints { return closeHints(e, false) }, true)
	case corev1.ServiceTrafficDistributionPreferSameNode:
		p.rehint(func(e discoveryv1.Endpoint) discoveryv1.EndpointHints { return closeHints(e, true) }, true)
	default:
		p.unhint()
	}
	return nil
}

// wantsTopology reports whether a Service's annotations ask for hints by the size
// of the zones. The older annotation counts first.
func (s *service) wantsTopology() bool {
	annotations := s.meta.Annotations()
	v, ok := annotations.Get(corev1.DeprecatedAnnotationTopologyAwareHints)
	if !ok {
		v, _ = annotations.Get(corev1.AnnotationTopologyMode)
	}
	return v == "Auto" || v == "auto"
}

// closeHints has an endpoint serve its own zone and, if asked to, its own node.
func closeHints(e discoveryv1.Endpoint, node bool) discoveryv1.EndpointHints {
	var hints discoveryv1.EndpointHints
	if e.HasZone() {
		hints = hints.WithForZones(discoveryv1.ForZone(nil).WithName(e.Zone()))
	}
	if node && e.HasNodeName() {
		hints = hints.WithForNodes(discoveryv1.ForNode(nil).WithName(e.NodeName()))
	}
	return hints
}

// unhint takes all hints away.
func (p *plan) unhint() {
	p.rehint(func(discoveryv1.Endpoint) discoveryv1.EndpointHints { return nil }, false)
}

// rehint gives all endpoints, or only those that are ready, the hints that they
// should have. Slices that were to be kept are updated where they had others.
func (p *plan) rehint(want func(discoveryv1.Endpoint) discoveryv1.EndpointHints, readyOnly bool) {
	wrong := func(e discoveryv1.Endpoint) bool {
		if readyOnly && !e.Conditions().Ready() {
			return false
		}
		hints := want(e)
		return e.HasHints() != (len(hints) > 0) || !sameHints(e.Hints(), hints)
	}
	p.keep = slices.DeleteFunc(p.keep, func(o *slice) bool {
		if !slices.ContainsFunc(o.endpoints, wrong) {
			return false
		}
		p.update = append(p.update, o.with(slices.Clone(o.endpoints)))
		return true
	})
	for _, o := range slices.Concat(p.create, p.update) {
		for i, e := range o.endpoints {
			if wrong(e) {
				o.endpoints[i] = withHints(e, want(e))
			}
		}
	}
}

func withHints(e discoveryv1.Endpoint, hints discoveryv1.EndpointHints) discoveryv1.Endpoint {
	if len(hints) == 0 {
		return e.WithoutHints()
	}
	return e.WithHints(hints)
}

func sameHints(a, b discoveryv1.EndpointHints) bool {
	return slices.Equal(zoneNames(a), zoneNames(b)) && slices.Equal(nodeNames(a), nodeNames(b))
}

func zoneNames(h discoveryv1.EndpointHints) []string {
	var out []string
	for zone := range h.ForZones() {
		out = append(out, zone.Name())
	}
	return out
}

func nodeNames(h discoveryv1.EndpointHints) []string {
	var out []string
	for node := range h.ForNodes() {
		out = append(out, node.Name())
	}
	return out
}
