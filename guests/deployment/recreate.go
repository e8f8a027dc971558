package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// podWakes is what wakes a Deployment about Pods that have to end, beside that
// they are gone.
var podWakes = sdk.Fields(corev1.PodFields.Status().Phase())

// recreate takes the next step of a roll-out that has all old Pods end before
// it starts one of the Deployment's template.
func recreate(r *sdk.Reconcile, d *deployment, sets replicaSets) error {
	if old := active(sets.old); len(old) > 0 {
		for _, set := range old {
			scale(r, d, set, 0)
		}
		r.Continue(step{kind: stepRolled, uid: d.meta.UID()}.encode())
		return nil
	}
	running, err := oldPodsRun(r, d, sets.old)
	switch {
	case err != nil:
		return err
	case running:
		return settleRollOut(r, d, sets)
	case sets.updated == nil:
		return create(r, d, sets)
	case sets.updated.replicas != d.replicas:
		scale(r, d, sets.updated, d.replicas)
		r.Continue(step{kind: stepRolled, uid: d.meta.UID()}.encode())
		return nil
	}
	if complete(d, d.status) {
		cleanUp(r, d, sets.old)
	}
	return settleRollOut(r, d, sets)
}

// oldPodsRun reports whether a Pod of an old ReplicaSet has not ended, also one
// that is being deleted.
func oldPodsRun(r *sdk.Reconcile, d *deployment, old []*replicaSet) (bool, error) {
	var queries []sdk.Query
	for _, set := range old {
		if set.Status().Replicas() > 0 {
			return true, nil
		}
		queries = append(queries, sdk.Query{
			Kind: kindPod, Namespace: d.meta.Namespace(), ControllerUID: set.meta.UID(), Wakes: podWakes,
		})
	}
	if len(queries) == 0 {
		return false, nil
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return false, err
	}
	for i := range answers {
		if err := sdk.AnswerError(queries[i], &answers[i]); err != nil {
			return false, err
		}
		for _, pod := range sdk.Views[corev1.Pod](answers[i].Objects) {
			if !meta.IsPodTerminal(pod) {
				return true, nil
			}
		}
	}
	return false, nil
}
