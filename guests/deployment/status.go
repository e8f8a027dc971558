package main

import (
	"slices"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// newStatus is the status as it should be, apart from how a roll-out goes.
// Fields of the old one that this controller does not know stay.
func newStatus(d *deployment, sets replicaSets) appsv1.DeploymentStatus {
	all := sets.all()
	var replicas, ready, updated int32
	for _, set := range all {
		replicas += set.Status().Replicas()
		ready += set.Status().ReadyReplicas()
	}
	if sets.updated != nil {
		updated = sets.updated.Status().Replicas()
	}
	available := totalAvailable(all)
	status := d.status.
		WithObservedGeneration(d.meta.Generation()).
		WithReplicas(replicas).
		WithUpdatedReplicas(updated).
		WithReadyReplicas(ready).
		WithAvailableReplicas(available).
		WithUnavailableReplicas(max(total(all)-available, 0))
	if n, ok := terminating(all); ok && d.terminatingReplicas {
		status = status.WithTerminatingReplicas(n)
	} else {
		status = status.WithoutTerminatingReplicas()
	}
	if available >= d.replicas-d.unavailable {
		return withCondition(status, newCondition(appsv1.DeploymentAvailable, metav1.ConditionTrue,
			reasonAvailable, "Deployment has minimum availability.", d.now))
	}
	return withCondition(status, newCondition(appsv1.DeploymentAvailable, metav1.ConditionFalse,
		reasonUnavailable, "Deployment does not have minimum availability.", d.now))
}

// terminating is the number of Pods on their way out. It is not known where a
// ReplicaSet that has been looked at does not tell.
func terminating(sets []*replicaSet) (n int32, known bool) {
	for _, set := range sets {
		status := set.Status()
		if !status.HasTerminatingReplicas() && status.ObservedGeneration() != 0 {
			return 0, false
		}
		n += status.TerminatingReplicas()
	}
	return n, true
}

// settle writes the status without regard to progress: of a Deployment that is
// paused, was scaled, or is being deleted.
func settle(r *sdk.Reconcile, d *deployment, sets replicaSets) error {
	d.writeStatus(r, newStatus(d, sets))
	return nil
}

// writeStatus asks for a status, and for the revision that was noted, if one of
// both is another one. It gives the action, nil if there is none.
func (d *deployment) writeStatus(r *sdk.Reconcile, status appsv1.DeploymentStatus) *sdk.Action {
	body := d.WithStatus(status)
	if was, _ := d.meta.Annotations().Get(revisionAnnotation); was != d.revision {
		body = body.WithMetadata(d.meta.WithAnnotation(revisionAnnotation, d.revision))
	} else if sameStatus(d.Status(), status) {
		return nil
	}
	return r.UpdateStatus(kindDeployment, d.meta.Namespace(), d.meta.Name(), body)
}

func sameStatus(a, b appsv1.DeploymentStatus) bool {
	return a.ObservedGeneration() == b.ObservedGeneration() &&
		a.Replicas() == b.Replicas() &&
		a.UpdatedReplicas() == b.UpdatedReplicas() &&
		a.ReadyReplicas() == b.ReadyReplicas() &&
		a.AvailableReplicas() == b.AvailableReplicas() &&
		a.UnavailableReplicas() == b.UnavailableReplicas() &&
		a.TerminatingReplicas() == b.TerminatingReplicas() &&
		a.HasTerminatingReplicas() == b.HasTerminatingReplicas() &&
		a.CollisionCount() == b.CollisionCount() &&
		a.HasCollisionCount() == b.HasCollisionCount() &&
		slices.EqualFunc(slices.Collect(a.Conditions()), slices.Collect(b.Conditions()), sameBytes)
}

func sameBytes(a, b appsv1.DeploymentCondition) bool { return string(a) == string(b) }
