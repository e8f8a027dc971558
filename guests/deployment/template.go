package main

import (
	"bytes"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// hashLabel tells the Pods and ReplicaSets of one template from those of others.
const hashLabel = appsv1.DefaultDeploymentUniqueLabelKey

// canonical gives bytes that are equal for equal templates. The hash label does
// not count: the Deployment's own template has none. Fields that are newer than
// this controller do count, as they are passed on, too.
func canonical(t corev1.PodTemplateSpec) []byte {
	return t.WithMetadata(t.Metadata().WithoutLabel(hashLabel)).Canonical()
}

// sameTemplate reports whether two templates are equal but for the hash label.
func sameTemplate(a, b corev1.PodTemplateSpec) bool {
	return bytes.Equal(canonical(a), canonical(b))
}

// hash is the hash of the Deployment's template.
func (d *deployment) hash() string {
	template := canonical(d.Spec().Template())
	if !d.status.HasCollisionCount() {
		return meta.Hash(template)
	}
	return meta.HashCollided(template, d.status.CollisionCount())
}

// maxName is the longest name that an object may have.
const maxName = 253

// replicaSetName is the name of the ReplicaSet for a template with that hash.
func replicaSetName(deployment, hash string) string {
	return deployment[:min(len(deployment), maxName-len("-")-len(hash))] + "-" + hash
}
