package main

import (
	"slices"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// newStatus is the status as it should be. Fields of the old one that this
// controller does not know stay.
func newStatus(rs replicaSet, found podSet, outcome scaled, now time.Time) appsv1.ReplicaSetStatus {
	// The template has the selector's labels and may have more.
	template, _ := meta.NewSelector(metav1.LabelSelector{}.WithMatchLabels(rs.Spec().Template().Metadata().Labels()))
	var labeled, ready, available int32
	for _, pod := range found.active {
		if template.Matches(pod.Metadata().Labels()) {
			labeled++
		}
		if !meta.IsPodReady(pod) {
			continue
		}
		ready++
		if rs.minReadySeconds == 0 || meta.IsPodAvailable(pod, rs.minReadySeconds, now) {
			available++
		}
	}
	status := rs.Status().
		WithReplicas(int32(len(found.active))). //nolint:gosec // a count of Pods
		WithFullyLabeledReplicas(labeled).
		WithReadyReplicas(ready).
		WithAvailableReplicas(available).
		WithObservedGeneration(rs.meta.Generation()).
		WithConditions(newConditions(rs, outcome, now)...)
	if !rs.terminatingReplicas {
		return status.WithoutTerminatingReplicas()
	}
	return status.WithTerminatingReplicas(int32(found.terminating)) //nolint:gosec // a count of Pods
}

// newConditions adds or removes the condition that says that scaling fails. One
// that is there stays as it is, with its first message, until scaling succeeds.
func newConditions(rs replicaSet, outcome scaled, now time.Time) []appsv1.ReplicaSetCondition {
	old := slices.Collect(rs.Status().Conditions())
	_, failing := meta.FindCondition(rs.Status().Conditions(), appsv1.ReplicaSetReplicaFailure)
	switch {
	case outcome.err != nil && !failing:
		return append(old, appsv1.ReplicaSetCondition(nil).
			WithType(appsv1.ReplicaSetReplicaFailure).
			WithStatus(metav1.ConditionTrue).
			WithLastTransitionTime(metav1.NewTime(now)).
			WithReason(outcome.reason).
			WithMessage(outcome.err.Error()))
	case outcome.err == nil && failing:
		kept, _ := meta.RemoveCondition(rs.Status().Conditions(), appsv1.ReplicaSetReplicaFailure)
		return kept
	}
	return old
}

// writeStatus asks for the new status if it is another one. After a failure it
// is put into the object as the API server has it, since the cache may have
// been the reason of a conflict.
func writeStatus(r *sdk.Reconcile, rs replicaSet, status appsv1.ReplicaSetStatus) error {
	if sameStatus(rs.Status(), status) {
		return nil
	}
	base := rs.ReplicaSet
	if r.Attempt() > 0 {
		fresh, err := readLive(r, rs)
		if err != nil {
			return err
		}
		base = fresh
	}
	r.Batch(sdk.Sequential).Always().UpdateStatus(kindReplicaSet, rs.meta.Namespace(), rs.meta.Name(), base.WithStatus(status))
	return nil
}

func sameStatus(a, b appsv1.ReplicaSetStatus) bool {
	return a.Replicas() == b.Replicas() &&
		a.FullyLabeledReplicas() == b.FullyLabeledReplicas() &&
		a.ReadyReplicas() == b.ReadyReplicas() &&
		a.AvailableReplicas() == b.AvailableReplicas() &&
		a.TerminatingReplicas() == b.TerminatingReplicas() &&
		a.HasTerminatingReplicas() == b.HasTerminatingReplicas() &&
		a.ObservedGeneration() == b.ObservedGeneration() &&
		slices.EqualFunc(slices.Collect(a.Conditions()), slices.Collect(b.Conditions()), sameBytes)
}

func sameBytes(a, b appsv1.ReplicaSetCondition) bool { return string(a) == string(b) }
