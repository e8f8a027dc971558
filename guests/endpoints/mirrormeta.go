package main

import (
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// annotationLastApplied is what kubectl keeps for itself.
const annotationLastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// mirrorMeta is the metadata of a new slice that mirrors Endpoints: it has their
// labels and annotations.
func mirrorMeta(m metav1.ObjectMeta) metav1.ObjectMeta {
	return metav1.ObjectMeta(nil).
		WithGenerateName(prefix(m.Name())).
		WithNamespace(m.Namespace()).
		WithLabels(m.Labels().With(discoveryv1.LabelServiceName, m.Name()).With(discoveryv1.LabelManagedBy, mirrorManager)).
		WithAnnotations(without(m.Annotations(), corev1.EndpointsLastChangeTriggerTime, annotationLastApplied)).
		WithOwnerReferences(meta.NewControllerRef(kindEndpoints.APIVersion, kindEndpoints.Kind, m))
}

// mirrorsMeta reports whether a slice has the labels, annotations and owner that it
// should have.
func mirrorsMeta(is, want metav1.ObjectMeta) bool {
	owner, _ := meta.ControllerOf(want)
	_, owned := meta.OwnerOf(is, owner.UID())
	return owned && sameLabels(is.Labels(), want.Labels()) && sameLabels(is.Annotations(), want.Annotations())
}
