package main

import (
	"strconv"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// Annotations that record in a ReplicaSet for what size of the Deployment it
// was last scaled. They tell that the Deployment was scaled since.
const (
	desiredAnnotation = "deployment.kubernetes.io/desired-replicas"
	maxAnnotation     = "deployment.kubernetes.io/max-replicas"
)

const reasonScaling = "ScalingReplicaSet"

// withSize records the Deployment's size in a ReplicaSet's annotations.
func (d *deployment) withSize(m metav1.ObjectMeta) metav1.ObjectMeta {
	return m.WithAnnotation(desiredAnnotation, decimal(d.replicas)).WithAnnotation(maxAnnotation, decimal(d.maxReplicas()))
}

// knowsSize reports whether the Deployment's size is recorded in the ReplicaSet.
func (s *replicaSet) knowsSize(d *deployment) bool {
	return s.annotation(desiredAnnotation) == decimal(d.replicas) && s.annotation(maxAnnotation) == decimal(d.maxReplicas())
}

// scale asks for another number of Pods, and tells of it. A ReplicaSet may be
// scaled twice: the second update then follows the first. What was noted is
// written before, since the call that goes on afterwards does not know of it.
func scale(r *sdk.Reconcile, d *deployment, set *replicaSet, replicas int32) {
	if !d.written {
		d.writeStatus(r, d.status)
		d.written = true
	}
	body := set.WithMetadata(d.withSize(set.Metadata())).WithSpec(set.Spec().WithReplicas(replicas))
	update := r.Update(kindReplicaSet, d.meta.Namespace(), set.name, body)
	if set.update != nil {
		update.Following(set.update)
	}
	switch old := set.replicas; {
	case old < replicas:
		r.Event(sdk.Normal, reasonScaling, scalingMessage("up", set.name, old, replicas))
	case old > replicas:
		r.Event(sdk.Normal, reasonScaling, scalingMessage("down", set.name, old, replicas))
	}
	set.replicas, set.update = replicas, update
}

func scalingMessage(direction, name string, from, to int32) string {
	return "Scaled " + direction + " replica set " + name + " from " + decimal(from) + " to " + decimal(to)
}

func decimal(n int32) string { return strconv.Itoa(int(n)) }
