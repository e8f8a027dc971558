package main

import (
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// settleRollOut ends a step of a roll-out: it writes the status, and says when
// to look whether the roll-out still makes progress.
func settleRollOut(r *sdk.Reconcile, d *deployment, sets replicaSets) error {
	status := newStatus(d, sets)
	limit, limited := d.deadline()
	switch {
	case !limited:
		status = withoutCondition(status, appsv1.DeploymentProgressing)
	case !wasComplete(d, status):
		status = withProgress(d, sets, status, limit)
	}
	if failure, failing := replicaFailure(sets); failing {
		status = withCondition(status, failure)
	} else {
		status = withoutCondition(status, appsv1.DeploymentReplicaFailure)
	}
	d.writeStatus(r, status)
	if limited {
		awaitDeadline(r, d, status, limit)
	}
	return nil
}

// wasComplete reports whether the roll-out has been found complete before, and
// only one template is running: there is no progress to make.
func wasComplete(d *deployment, status appsv1.DeploymentStatus) bool {
	c, _ := progressing(d.status)
	return status.Replicas() == status.UpdatedReplicas() && c.Reason() == reasonComplete
}

// complete reports whether all Pods are updated and available, and no others run.
func complete(d *deployment, status appsv1.DeploymentStatus) bool {
	return status.UpdatedReplicas() == d.replicas &&
		status.Replicas() == d.replicas &&
		status.AvailableReplicas() == d.replicas &&
		status.ObservedGeneration() >= d.meta.Generation()
}

// withProgress sets the condition that says how the roll-out goes. Without
// progress it stays as it is, until the time for it is over.
func withProgress(d *deployment, sets replicaSets, status appsv1.DeploymentStatus, limit time.Duration) appsv1.DeploymentStatus {
	subject := "Deployment " + d.quoted()
	if sets.updated != nil {
		subject = "ReplicaSet " + quote(sets.updated.name)
	}
	set := func(condition, reason, message string) appsv1.DeploymentCondition {
		return newCondition(appsv1.DeploymentProgressing, condition, reason, subject+message, d.now)
	}
	old, has := progressing(status)
	switch {
	case complete(d, status):
		return withCondition(status, set(metav1.ConditionTrue, reasonComplete, " has successfully progressed."))
	case advanced(d.status, status):
		c := set(metav1.ConditionTrue, reasonUpdated, " is progressing.")
		if old.Status() == metav1.ConditionTrue {
			c = c.WithLastTransitionTime(old.LastTransitionTime())
		}
		// The time counts anew, also where the reason is the same.
		return withCondition(withoutCondition(status, appsv1.DeploymentProgressing), c)
	case has && timedOut(d, old, limit):
		return withCondition(status, set(metav1.ConditionFalse, reasonTimedOut, " has timed out progressing."))
	}
	return status
}

// advanced reports whether there are more updated, ready or available Pods than
// before, or less of the old ones.
func advanced(before, after appsv1.DeploymentStatus) bool {
	return after.UpdatedReplicas() > before.UpdatedReplicas() ||
		after.Replicas()-after.UpdatedReplicas() < before.Replicas()-before.UpdatedReplicas() ||
		after.ReadyReplicas() > before.ReadyReplicas() ||
		after.AvailableReplicas() > before.AvailableReplicas()
}

// timedOut reports whether the last progress is too long ago. A roll-out that
// was complete can't be late.
func timedOut(d *deployment, c appsv1.DeploymentCondition, limit time.Duration) bool {
	switch c.Reason() {
	case reasonComplete:
		return false
	case reasonTimedOut:
		return true
	}
	return c.LastUpdateTime().Time().Add(limit).Before(d.now)
}

// awaitDeadline looks again when the time for progress will be over: nothing
// else tells. A second more makes sure that it is over then.
func awaitDeadline(r *sdk.Reconcile, d *deployment, status appsv1.DeploymentStatus, limit time.Duration) {
	c, has := progressing(status)
	if !has || complete(d, status) || c.Reason() == reasonTimedOut || c.Reason() == reasonComplete {
		return
	}
	left := c.LastUpdateTime().Time().Add(limit).Sub(d.now)
	r.RequeueAfter(max(left, 0) + time.Second)
}
