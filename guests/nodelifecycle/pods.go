package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// markPods makes the Pods of a node that is not heard of unready, also those that
// are bound to it later: their kubelet can't.
func (n *node) markPods(r *sdk.Reconcile) error {
	if n.ready.Status() != corev1.ConditionUnknown {
		return nil
	}
	pods, err := sdk.List[corev1.Pod](r, sdk.Query{
		Kind: kindPod, AllNamespaces: true, Index: byNode, IndexValue: n.meta.Name(), Wakes: sdk.Fields(corev1.PodFields.Spec().NodeName()),
	})
	if err != nil {
		return err
	}
	now := metav1.NewTime(r.Now())
	updates, events := r.Batch(sdk.Parallel), r.Batch(sdk.Parallel).Always()
	marked := false
	for _, pod := range pods {
		ready, ok := meta.PodReadyCondition(pod)
		if !ok || ready.Status() == corev1.ConditionFalse {
			continue
		}
		list, _ := meta.SetCondition(pod.Status().Conditions(), ready.WithStatus(corev1.ConditionFalse).WithLastTransitionTime(now), now)
		m := pod.Metadata()
		update := updates.UpdateStatus(kindPod, m.Namespace(), m.Name(), pod.WithStatus(pod.Status().WithConditions(list...))).Tolerate(sdk.NotFound)
		events.EventAbout(kindPod, m.Namespace(), m.Name(), m.UID(), sdk.Warning, "NodeNotReady", "Node is not ready").After(update)
		marked = true
	}
	if marked {
		r.Continue(nil)
	}
	return nil
}
