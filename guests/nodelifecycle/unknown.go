package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// reported is the conditions that a kubelet reports. Whether the network is
// unavailable is told by others.
var reported = []string{corev1.NodeReady, corev1.NodeMemoryPressure, corev1.NodeDiskPressure, corev1.NodePIDPressure}

// declareUnknown makes the conditions of a silent node unknown.
func (n *node) declareUnknown(r *sdk.Reconcile) {
	now := metav1.NewTime(r.Now())
	list := make([]corev1.NodeCondition, 0, n.status.ConditionsLen()+len(reported))
	for c := range n.status.Conditions() {
		list = append(list, c)
	}
	for _, typ := range reported {
		list = unknown(list, typ, n.meta.CreationTimestamp(), now)
	}
	update := r.UpdateStatus(kindNode, "", n.meta.Name(), n.WithStatus(n.status.WithConditions(list...)))
	if n.ready.Status() == corev1.ConditionTrue {
		r.EventAbout(kindNode, "", n.meta.Name(), n.meta.UID(), sdk.Normal, "NodeNotReady",
			"Node "+n.meta.Name()+" status is now: NodeNotReady").After(update)
	}
}

// unknown makes one condition unknown, or adds it.
func unknown(list []corev1.NodeCondition, typ string, created, now metav1.Time) []corev1.NodeCondition {
	for i, c := range list {
		if c.Type() != typ {
			continue
		}
		if c.Status() != corev1.ConditionUnknown {
			list[i] = c.WithStatus(corev1.ConditionUnknown).WithReason("NodeStatusUnknown").
				WithMessage("Kubelet stopped posting node status.").WithLastTransitionTime(now)
		}
		return list
	}
	return append(list, corev1.NodeCondition(nil).WithType(typ).WithStatus(corev1.ConditionUnknown).
		WithReason("NodeStatusNeverUpdated").WithMessage("Kubelet never posted node status.").
		WithLastHeartbeatTime(created).WithLastTransitionTime(now))
}
