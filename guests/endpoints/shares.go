package main

import (
	"strconv"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/resource"
)

// capacityWakes is what the zones' parts of the cluster depend on.
var capacityWakes = sdk.Fields(
	corev1.NodeFields.Metadata().Labels(),
	corev1.NodeFields.Status().Allocatable().Key(cpu),
	corev1.NodeFields.Status().Conditions().Status(),
)

const cpu = "cpu"

// controlPlane marks Nodes that take no part in serving.
var controlPlane = []string{"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"}

// zoneShares is which part of the cluster's processors is in which zone, for ready
// Nodes; nil if one of them does not tell, or all are in one zone.
func zoneShares(r *sdk.Reconcile) (map[string]float64, error) {
	nodes, err := sdk.List[corev1.Node](r, sdk.Query{Kind: kindNode, Wakes: capacityWakes})
	if err != nil {
		return nil, err
	}
	shares, total := map[string]float64{}, 0.0
	for _, node := range nodes {
		labels := node.Metadata().Labels()
		if labels.Has(controlPlane[0]) || labels.Has(controlPlane[1]) || !meta.IsConditionTrue(node.Status().Conditions(), corev1.NodeReady) {
			continue
		}
		zone, _ := labels.Get(corev1.LabelTopologyZone)
		quantity, _ := node.Status().Allocatable().Get(cpu)
		n := processors(quantity)
		if zone == "" || n == 0 {
			return nil, nil //nolint:nilnil // there are none, and nothing is wrong
		}
		shares[zone] += n
		total += n
	}
	if len(shares) < 2 {
		return nil, nil //nolint:nilnil // see above
	}
	for zone := range shares {
		shares[zone] /= total
	}
	return shares, nil
}

// processors is a quantity as a number, 0 if it is none.
func processors(q resource.Quantity) float64 {
	n, err := strconv.ParseFloat(string(resource.CanonicalText([]byte(q.String()))), 64)
	if err != nil {
		return 0
	}
	return n
}
