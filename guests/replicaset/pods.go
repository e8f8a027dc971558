package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// podSet is the Pods that concern a ReplicaSet.
type podSet struct {
	active      []corev1.Pod // owned, selected, neither ended nor being deleted
	terminating int          // owned and selected, on their way out
	adopt       []corev1.Pod // selected, active, without a controller
	release     []corev1.Pod // owned and active, no longer selected
}

// unclaimed reports whether there are Pods to adopt or to release.
func (p *podSet) unclaimed() bool { return len(p.adopt)+len(p.release) > 0 }

// What wakes a ReplicaSet, beside Pods that come and go. What only the order of
// deletion depends on is looked at when there is something to delete.
var (
	ownedWakes = sdk.Fields(
		corev1.PodFields.Metadata().Labels(),
		corev1.PodFields.Metadata().OwnerReferences(),
		corev1.PodFields.Metadata().DeletionTimestamp(),
		corev1.PodFields.Status().Phase(),
		corev1.PodFields.Status().Conditions(),
	)
	orphanWakes = sdk.Fields(
		corev1.PodFields.Metadata().Labels(),
		corev1.PodFields.Metadata().OwnerReferences(),
		corev1.PodFields.Metadata().DeletionTimestamp(),
	)
)

// findPods reads the Pods that the ReplicaSet owns, and the orphans that it
// could adopt.
func findPods(r *sdk.Reconcile, rs replicaSet) (podSet, error) {
	queries := []sdk.Query{{
		Kind: kindPod, Namespace: rs.meta.Namespace(), ControllerUID: rs.meta.UID(), Wakes: ownedWakes,
	}}
	if !rs.meta.HasDeletionTimestamp() && !rs.selector.Nothing() {
		queries = append(queries, sdk.Query{
			Kind: kindPod, Namespace: rs.meta.Namespace(), Orphans: true, LabelSelector: rs.Spec().Selector(), Wakes: orphanWakes,
		})
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return podSet{}, err
	}
	var found podSet
	claimer := meta.NewClaimer(rs.meta, rs.selector)
	for i := range answers {
		if err := sdk.AnswerError(queries[i], &answers[i]); err != nil {
			return podSet{}, err
		}
		for _, pod := range sdk.Views[corev1.Pod](answers[i].Objects) {
			found.add(pod, &claimer)
		}
	}
	return found, nil
}

// add sorts a Pod in. Pods that have ended don't count, and those on their way
// out keep their owner.
func (p *podSet) add(pod corev1.Pod, claimer *meta.Claimer) {
	if meta.IsPodTerminal(pod) {
		return
	}
	m := pod.Metadata()
	leaving := m.HasDeletionTimestamp()
	switch claim := claimer.Decide(m); {
	case claim == meta.Keep && leaving:
		p.terminating++
	case claim == meta.Keep:
		p.active = append(p.active, pod)
	case claim == meta.Adopt:
		p.adopt = append(p.adopt, pod)
	case claim == meta.Release && !leaving:
		p.release = append(p.release, pod)
	}
}
