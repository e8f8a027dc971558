package main

import (
	"slices"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// podOf is a new Pod of a ReplicaSet, the same for all that it creates. The
// template's spec is passed on as the bytes that it came in, also those fields
// that are newer than this controller.
func podOf(rs replicaSet) corev1.Pod {
	template := rs.Spec().Template()
	of := template.Metadata()
	m := metav1.ObjectMeta(nil).
		WithGenerateName(rs.meta.Name() + "-").
		WithLabels(of.Labels()).
		WithAnnotations(of.Annotations()).
		WithOwnerReferences(meta.NewControllerRef(kindReplicaSet.APIVersion, kindReplicaSet.Kind, rs.meta)).
		WithFinalizers(slices.Collect(of.Finalizers())...)
	return corev1.Pod(nil).WithMetadata(m).WithSpec(template.Spec())
}
