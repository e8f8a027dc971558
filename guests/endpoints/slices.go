package main

import (
	"errors"
	"slices"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// sliceManager is what slices that are kept here say of who keeps them.
const sliceManager = "endpointslice-controller.k8s.io"

// keepSlices keeps the EndpointSlices of a Service.
func keepSlices(r *sdk.Reconcile) error {
	if !r.Exists() {
		return nil // the garbage collector takes its slices
	}
	m := decodeMemory(r.Memo())
	defer func() { r.SetMemo(m.encode()) }()
	s := newService(r.Object())
	if r.Continues() {
		return slicesKept(r, s)
	}
	if !s.selects() {
		return nil
	}
	pods, existing, err := findSlices(r, s)
	if err != nil {
		return err
	}
	nodes, err := findNodes(r, pods)
	if err != nil {
		return err
	}
	at := m.trigger(s, pods)
	all := &plan{reusable: s.owns}
	families := s.families()
	all.remove = slices.DeleteFunc(slices.Clone(existing), func(o *slice) bool { return slices.Contains(families, o.addressType) })
	if len(all.remove) > 0 {
		m.hinted = false
	}
	var missing []error
	for _, family := range families {
		mine := slices.DeleteFunc(slices.Clone(existing), func(o *slice) bool { return o.addressType != family })
		want, err := desiredEndpoints(s, pods, nodes, family)
		if err != nil {
			missing = append(missing, err)
		}
		p := s.plan(family, want, mine, limit(r, "maxEndpointsPerSlice", 100))
		if err := s.hint(r, &m, family, p); err != nil {
			return err
		}
		all.join(p)
	}
	wrote := all.write(r, s.meta.Namespace(), s.meta.HasDeletionTimestamp(), annotation(at))
	if err := errors.Join(missing...); err != nil {
		tellFailure(r, s, err)
		return err
	}
	if wrote {
		r.Continue(nil)
	}
	return nil
}

// findSlices reads the Pods that a Service selects, and the slices that it has.
func findSlices(r *sdk.Reconcile, s *service) (pods []corev1.Pod, existing []*slice, err error) {
	queries := []sdk.Query{s.podsQuery(), slicesQuery(s.meta.Namespace(), s.name, sliceManager)}
	answers, err := r.Read(queries...)
	if err != nil {
		return nil, nil, err
	}
	for i := range answers {
		if err := sdk.AnswerError(queries[i], &answers[i]); err != nil {
			return nil, nil, err
		}
	}
	for _, body := range sdk.Views[discoveryv1.EndpointSlice](answers[1].Objects) {
		if !body.Metadata().HasDeletionTimestamp() {
			existing = append(existing, newSlice(body))
		}
	}
	sortByName(existing)
	return sdk.Views[corev1.Pod](answers[0].Objects), existing, nil
}

// slicesQuery asks for the slices that somebody keeps for a Service.
func slicesQuery(namespace, service, manager string) sdk.Query {
	labels := view.StringMap{}.With(discoveryv1.LabelServiceName, service).With(discoveryv1.LabelManagedBy, manager)
	return sdk.Query{
		Kind:          kindSlice,
		Namespace:     namespace,
		LabelSelector: metav1.LabelSelector(nil).WithMatchLabels(labels),
		Wakes:         sliceWakes,
	}
}

// desiredEndpoints is what of the Pods is published, by the ports that they have.
// An error names the Pods whose Node is not there; they are left out.
func desiredEndpoints(s *service, pods []corev1.Pod, nodes map[string]view.StringMap, family string) (*portGroups, error) {
	groups := newPortGroups()
	var missing []error
	for _, pod := range pods {
		if !reachable(pod) {
			continue
		}
		group := groups.of(endpointPorts(s, pod))
		labels, there := nodes[pod.Spec().NodeName()]
		if !there && !s.spec.PublishNotReadyAddresses() {
			missing = append(missing, errors.New("skipping Pod "+pod.Metadata().Name()+" for Service "+s.meta.Namespace()+"/"+s.name+
				": Node "+pod.Spec().NodeName()+" Not Found"))
			continue
		}
		if e, ok := endpointOf(pod, labels, s, family); ok {
			group.endpoints.add(e)
		}
	}
	return groups, errors.Join(missing...)
}

// slicesKept looks at what became of the writes. In a Namespace that is being
// terminated nothing can be created, and nothing needs to be.
func slicesKept(r *sdk.Reconcile, s *service) error {
	err := sdk.Failures("cannot write the EndpointSlices", unlessTerminating(r.Results()))
	if err != nil {
		tellFailure(r, s, err)
	}
	return err
}

func unlessTerminating(results []sdk.Result) []sdk.Result {
	return slices.DeleteFunc(slices.Clone(results), func(result sdk.Result) bool {
		return result.HasCause(corev1.NamespaceTerminatingCause)
	})
}

func tellFailure(r *sdk.Reconcile, s *service, err error) {
	r.Event(sdk.Warning, "FailedToUpdateEndpointSlices", "Error updating Endpoint Slices for Service "+s.meta.Namespace()+"/"+s.name+": "+err.Error())
}
