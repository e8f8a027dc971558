package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// choose picks the Pods to delete. Where all have to go there is no choice.
func choose(r *sdk.Reconcile, rs replicaSet, active []corev1.Pod, count int) []corev1.Pod {
	if count >= len(active) {
		return active
	}
	crowd, err := podsByNode(r, rs)
	if err != nil {
		r.Warn("Pods to delete are chosen without regard to related ones", "error", err)
	}
	ordered := inOrderOfDeletion(active, crowd, rs.deletionCost, r.Now())
	observeAges(r, ordered, count)
	return ordered[:count]
}

// podsByNode counts, for each node, the active Pods of all ReplicaSets that
// have the same controller as this one, such as those of one Deployment: a
// node with many of them can best spare one. It is empty where there is no
// such controller.
func podsByNode(r *sdk.Reconcile, rs replicaSet) (map[string]int, error) {
	owner, ok := meta.ControllerOf(rs.meta)
	if !ok {
		return nil, nil
	}
	query := sdk.Query{Kind: kindReplicaSet, AllNamespaces: true, ControllerUID: owner.UID(), Quiet: true}
	siblings, err := sdk.List[appsv1.ReplicaSet](r, query)
	if errors.Is(err, sdk.ErrDenied) { // granted some namespaces only
		query.AllNamespaces, query.Namespace = false, rs.meta.Namespace()
		siblings, err = sdk.List[appsv1.ReplicaSet](r, query)
	}
	if err != nil {
		return nil, err
	}
	var queries []sdk.Query
	for _, sibling := range siblings {
		selector := sibling.Spec().Selector()
		if s, err := meta.NewSelector(selector); err != nil || s.Nothing() {
			continue
		}
		queries = append(queries, sdk.Query{Kind: kindPod, Namespace: sibling.Metadata().Namespace(), LabelSelector: selector, Quiet: true})
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return nil, err
	}
	seen, count := map[string]bool{}, map[string]int{}
	for i := range answers {
		if err := sdk.AnswerError(queries[i], &answers[i]); err != nil {
			return nil, err
		}
		for _, pod := range sdk.Views[corev1.Pod](answers[i].Objects) {
			if uid := pod.Metadata().UID(); !seen[uid] && meta.IsPodActive(pod) {
				seen[uid] = true
				count[pod.Spec().NodeName()]++
			}
		}
	}
	return count, nil
}
