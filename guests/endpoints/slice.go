package main

import (
	"slices"
	"strings"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// slice is an EndpointSlice as it is or as it should be.
type slice struct {
	meta        metav1.ObjectMeta
	name        string // empty for a new one
	addressType string
	ports       []discoveryv1.EndpointPort
	endpoints   []discoveryv1.Endpoint
}

func newSlice(body discoveryv1.EndpointSlice) *slice {
	return &slice{
		meta:        body.Metadata(),
		name:        body.Metadata().Name(),
		addressType: body.AddressType(),
		ports:       slices.Collect(body.Ports()),
		endpoints:   slices.Collect(body.Endpoints()),
	}
}

func sortByName(list []*slice) {
	slices.SortFunc(list, func(a, b *slice) int { return strings.Compare(a.name, b.name) })
}

// encode is the slice as an object.
func (o *slice) encode() discoveryv1.EndpointSlice {
	return discoveryv1.EndpointSlice(nil).WithMetadata(o.meta).WithEndpoints(o.endpoints...).WithPorts(o.ports...).WithAddressType(o.addressType)
}

// with is a copy with other endpoints.
func (o *slice) with(endpoints []discoveryv1.Endpoint) *slice {
	c := *o
	c.endpoints = endpoints
	return &c
}

// empty is a new slice of a Service, without endpoints.
func (s *service) empty(addressType string, ports []discoveryv1.EndpointPort) *slice {
	return &slice{
		meta: metav1.ObjectMeta(nil).
			WithGenerateName(prefix(s.name)).
			WithNamespace(s.meta.Namespace()).
			WithLabels(s.sliceLabels()).
			WithOwnerReferences(meta.NewControllerRef(kindService.APIVersion, kindService.Kind, s.meta)),
		addressType: addressType,
		ports:       ports,
	}
}

// longestPrefix is how long the beginning of a name may be that is completed.
const longestPrefix = 253

// prefix is what the names of a Service's slices begin with.
func prefix(service string) string {
	if p := service + "-"; len(p) <= longestPrefix {
		return p
	}
	return service
}

// reserved are the labels of slices that are not the Service's.
var reserved = []string{discoveryv1.LabelServiceName, discoveryv1.LabelManagedBy, corev1.IsHeadlessService}

// sliceLabels is the labels that a Service's slices have.
func (s *service) sliceLabels() view.StringMap {
	labels := without(s.meta.Labels(), reserved...).With(discoveryv1.LabelServiceName, s.name).With(discoveryv1.LabelManagedBy, sliceManager)
	if s.headless() {
		labels = labels.With(corev1.IsHeadlessService, "")
	}
	return labels
}

// labelsDiffer reports whether the Service has got other labels than a slice of it.
func (s *service) labelsDiffer(o *slice) bool {
	return !sameLabels(without(o.meta.Labels(), reserved...), without(s.meta.Labels(), reserved...))
}

// owns reports whether a slice belongs to this very Service, not to one that had
// its name before.
func (s *service) owns(o *slice) bool {
	ref, ok := meta.OwnerOf(o.meta, s.meta.UID())
	return ok && ref.Kind() == kindService.Kind && ref.APIVersion() == kindService.APIVersion
}
