package main

import (
	"time"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// Reasons of the conditions.
const (
	reasonUpdated       = "ReplicaSetUpdated"
	reasonCreateError   = "ReplicaSetCreateError"
	reasonNewReplicaSet = "NewReplicaSetCreated"
	reasonFound         = "FoundNewReplicaSet"
	reasonComplete      = "NewReplicaSetAvailable"
	reasonTimedOut      = "ProgressDeadlineExceeded"
	reasonPaused        = "DeploymentPaused"
	reasonResumed       = "DeploymentResumed"
	reasonAvailable     = "MinimumReplicasAvailable"
	reasonUnavailable   = "MinimumReplicasUnavailable"
)

func newCondition(typ, status, reason, message string, now time.Time) appsv1.DeploymentCondition {
	t := metav1.NewTime(now)
	return appsv1.DeploymentCondition(nil).
		WithType(typ).
		WithStatus(status).
		WithLastUpdateTime(t).
		WithLastTransitionTime(t).
		WithReason(reason).
		WithMessage(message)
}

// withCondition puts a condition into the place of that of its type. One of the
// same status and reason stays as it is.
func withCondition(s appsv1.DeploymentStatus, c appsv1.DeploymentCondition) appsv1.DeploymentStatus {
	list, changed := meta.ReplaceCondition(s.Conditions(), c, c.LastUpdateTime())
	if !changed {
		return s
	}
	return s.WithConditions(list...)
}

func withoutCondition(s appsv1.DeploymentStatus, typ string) appsv1.DeploymentStatus {
	list, found := meta.RemoveCondition(s.Conditions(), typ)
	if !found {
		return s
	}
	return s.WithConditions(list...)
}

// progressing is the condition that says how the roll-out goes.
func progressing(s appsv1.DeploymentStatus) (appsv1.DeploymentCondition, bool) {
	return meta.FindCondition(s.Conditions(), appsv1.DeploymentProgressing)
}

// noteProgress sets that condition in the status that is to be written.
func (d *deployment) noteProgress(status, reason, message string) {
	d.status = withCondition(d.status, newCondition(appsv1.DeploymentProgressing, status, reason, message, d.now))
}

// notePause notes that the Deployment was paused or resumed: a pause is no lack
// of progress. One that was found lacking keeps that condition.
func (d *deployment) notePause() {
	if _, limited := d.deadline(); !limited {
		return
	}
	c, _ := progressing(d.status)
	reason, paused := c.Reason(), d.Spec().Paused()
	switch {
	case reason == reasonTimedOut:
	case paused && reason != reasonPaused:
		d.noteProgress(metav1.ConditionUnknown, reasonPaused, "Deployment is paused")
	case !paused && reason == reasonPaused:
		d.noteProgress(metav1.ConditionUnknown, reasonResumed, "Deployment is resumed")
	}
}

// noteUpdated notes the ReplicaSet that has the Deployment's template: its
// revision is the Deployment's, and progress counts from when it was first seen.
func (d *deployment) noteUpdated(set *replicaSet) {
	d.revision = set.annotation(revisionAnnotation)
	_, limited := d.deadline()
	if _, has := progressing(d.status); limited && !has {
		d.noteProgress(metav1.ConditionTrue, reasonFound, "Found new replica set "+quote(set.name))
	}
}

// replicaFailure is the condition that says that a ReplicaSet can't create or
// delete Pods, that of the updated one before those of others.
func replicaFailure(sets replicaSets) (appsv1.DeploymentCondition, bool) {
	first := sets.old
	if sets.updated != nil {
		first = append([]*replicaSet{sets.updated}, sets.old...)
	}
	for _, set := range first {
		c, failing := meta.FindCondition(set.Status().Conditions(), appsv1.ReplicaSetReplicaFailure)
		if !failing {
			continue
		}
		return appsv1.DeploymentCondition(nil).
			WithType(c.Type()).
			WithStatus(c.Status()).
			WithLastUpdateTime(c.LastTransitionTime()).
			WithLastTransitionTime(c.LastTransitionTime()).
			WithReason(c.Reason()).
			WithMessage(c.Message()), true
	}
	return nil, false
}
