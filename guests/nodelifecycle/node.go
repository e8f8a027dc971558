package main

import (
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// node is a Node, and what is looked at again and again.
type node struct {
	corev1.Node
	meta   metav1.ObjectMeta
	spec   corev1.NodeSpec
	status corev1.NodeStatus
	ready  corev1.NodeCondition // nil if it has none
}

func newNode(body corev1.Node) *node {
	n := &node{Node: body, meta: body.Metadata(), spec: body.Spec(), status: body.Status()}
	n.ready, _ = n.condition(corev1.NodeReady)
	return n
}

func (n *node) condition(typ string) (corev1.NodeCondition, bool) {
	return meta.FindCondition(n.status.Conditions(), typ)
}

// Labels that say where a node is. The older ones count first.
const (
	labelOldZone   = "failure-domain.beta.kubernetes.io/zone"
	labelOldRegion = "failure-domain.beta.kubernetes.io/region"
	labelZone      = "topology.kubernetes.io/zone"
	labelRegion    = "topology.kubernetes.io/region"

	// labelExcluded keeps a node out of the judgement about its zone.
	labelExcluded = "node.kubernetes.io/exclude-disruption"
)

// zone names the zone that a node is in, empty where nothing tells.
func (n *node) zone() string {
	first := func(older, newer string) string {
		if v, ok := n.meta.Labels().Get(older); ok {
			return v
		}
		v, _ := n.meta.Labels().Get(newer)
		return v
	}
	zone, region := first(labelOldZone, labelZone), first(labelOldRegion, labelRegion)
	if zone == "" && region == "" {
		return ""
	}
	return region + ":" + zone
}
