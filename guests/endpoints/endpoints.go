package main

import (
	"errors"
	"time"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

const (
	// labelEndpointsManagedBy marks the Endpoints that are kept here.
	labelEndpointsManagedBy = "endpoints.kubernetes.io/managed-by"
	endpointsManager        = "endpoint-controller"

	// annotationLeader is on Endpoints that serve as a lock, and as nothing else.
	annotationLeader = "control-plane.alpha.kubernetes.io/leader"
)

// keepEndpoints keeps the Endpoints of a Service.
func keepEndpoints(r *sdk.Reconcile) error {
	key := r.Key()
	m := decodeMemory(r.Memo())
	defer func() { r.SetMemo(m.encode()) }()
	body, err := sdk.Get[corev1.Service](r, sdk.Query{Kind: kindService, Namespace: key.Namespace, Name: key.Name})
	gone := errors.Is(err, sdk.ErrNotFound)
	if err != nil && !gone {
		return err
	}
	is, err := sdk.Get[corev1.Endpoints](r, sdk.Query{Kind: kindEndpoints, Namespace: key.Namespace, Name: key.Name, Wakes: existence})
	exists := err == nil
	if err != nil && !errors.Is(err, sdk.ErrNotFound) {
		return err
	}
	if gone {
		if exists && (m.known || leftOver(r, is)) {
			r.Delete(kindEndpoints, key.Namespace, key.Name).Tolerate(sdk.NotFound)
		}
		m = memory{}
		return nil
	}
	s := newService(body)
	if r.Continues() {
		return endpointsKept(r, s, is.Metadata().UID())
	}
	if !s.selects() {
		m.known = true // so that what users have put there goes with the Service
		return nil
	}
	pods, err := sdk.List[corev1.Pod](r, s.podsQuery())
	if err != nil {
		return err
	}
	at := m.trigger(s, pods)
	want := desiredSubsets(s, pods)
	if exists && isKept(is, s, want) {
		return nil
	}
	writeEndpoints(r, s, is, exists, want, at)
	return nil
}

// leftOver reports whether Endpoints without a Service were there before this host
// was: then their Service may have gone unseen.
func leftOver(r *sdk.Reconcile, is corev1.Endpoints) bool {
	if is.Metadata().Annotations().Has(annotationLeader) {
		return false
	}
	for _, reason := range r.Reasons() {
		if reason.Type == abi.ReasonTypeInitial {
			return true
		}
	}
	return false
}

// desiredSubsets is what the Endpoints of a Service should hold.
func desiredSubsets(s *service, pods []corev1.Pod) []subset {
	p := newPacking()
	anyReady := s.spec.PublishNotReadyAddresses()
	for _, pod := range pods {
		if !reachable(pod) || pod.Metadata().HasDeletionTimestamp() {
			continue
		}
		ips := addresses(pod, s.family(pod))
		if len(ips) == 0 {
			continue // it is of the other family, as while a cluster becomes dual stack
		}
		a := corev1.EndpointAddress(nil).WithIP(ips[0]).WithNodeName(pod.Spec().NodeName()).WithTargetRef(refTo(pod))
		if name := hostname(pod, s); name != "" {
			a = a.WithHostname(name)
		}
		ready := anyReady || meta.IsPodReady(pod)
		if s.spec.PortsLen() == 0 && s.spec.ClusterIP() == corev1.ClusterIPNone {
			p.add(a, ready, nil)
		}
		for port := range s.spec.Ports() {
			if number, ok := portOn(pod, port); ok {
				p.add(a, ready, endpointPort(port, number))
			}
		}
	}
	return p.subsets()
}

func endpointPort(port corev1.ServicePort, number int32) corev1.EndpointPort {
	out := corev1.EndpointPort(nil).WithName(port.Name()).WithPort(number).WithProtocol(port.Protocol())
	if port.HasAppProtocol() {
		out = out.WithAppProtocol(port.AppProtocol())
	}
	return out
}

// isKept reports whether Endpoints are as they should be.
func isKept(is corev1.Endpoints, s *service, want []subset) bool {
	m, count := is.Metadata(), 0
	for sub := range is.Subsets() {
		count += sub.AddressesLen() + sub.NotReadyAddressesLen()
	}
	return count <= capacity && !m.Annotations().Has(corev1.EndpointsOverCapacity) &&
		sameLabels(without(m.Labels(), corev1.IsHeadlessService, labelEndpointsManagedBy), without(s.meta.Labels(), corev1.IsHeadlessService, labelEndpointsManagedBy)) &&
		hasLabel(m.Labels(), labelEndpointsManagedBy, endpointsManager) &&
		sameSubsets(repack(is), want)
}

// writeEndpoints creates or updates the Endpoints of a Service.
func writeEndpoints(r *sdk.Reconcile, s *service, is corev1.Endpoints, exists bool, want []subset, at time.Time) {
	m := is.Metadata()
	if !exists {
		m = metav1.ObjectMeta(nil).WithNamespace(s.meta.Namespace()).WithName(s.name)
	}
	m = m.WithLabels(endpointsLabels(s))
	m = annotated(m, corev1.EndpointsLastChangeTriggerTime, annotation(at))
	over := ""
	if truncate(want) {
		over = "truncated"
	}
	m = annotated(m, corev1.EndpointsOverCapacity, over)
	body := is.WithMetadata(m).WithSubsets(encodeSubsets(want)...)
	if exists {
		r.Update(kindEndpoints, s.meta.Namespace(), s.name, body)
		r.Continue([]byte(updated))
		return
	}
	r.Create(kindEndpoints, s.meta.Namespace(), s.name, body)
	r.Continue([]byte(created))
}

func endpointsLabels(s *service) view.StringMap {
	labels := s.meta.Labels().Without(corev1.IsHeadlessService).With(labelEndpointsManagedBy, endpointsManager)
	if s.headless() {
		labels = labels.With(corev1.IsHeadlessService, "")
	}
	return labels
}

// What a write was, as the continuation tells.
const (
	created = "create"
	updated = "update"
)

// endpointsKept looks at what became of a write. In a Namespace that is being
// terminated nothing can be created, and nothing needs to be.
func endpointsKept(r *sdk.Reconcile, s *service, uid string) error {
	for _, result := range r.Results() {
		err := result.Err()
		if err == nil || result.HasCause(corev1.NamespaceTerminatingCause) {
			continue
		}
		where := s.meta.Namespace() + "/" + s.name
		reason, message := "FailedToUpdateEndpoint", "Failed to update endpoint "+where+": "
		if string(r.Continuation()) == created {
			reason, message = "FailedToCreateEndpoint", "Failed to create endpoint for service "+where+": "
		}
		r.EventAbout(kindEndpoints, s.meta.Namespace(), s.name, uid, sdk.Warning, reason, message+err.Error())
		return err
	}
	return nil
}
