package main

import (
	"errors"
	"math"
	"strconv"
	"strings"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// nodeFields is what is read of Nodes.
var nodeFields = sdk.Fields(
	corev1.NodeFields.Metadata(),
	corev1.NodeFields.Status().Allocatable(),
	corev1.NodeFields.Status().Conditions(),
)

// zoneWakes is what counts of a Node that Pods run on.
var zoneWakes = sdk.Fields(corev1.NodeFields.Metadata().Labels().Key(corev1.LabelTopologyZone))

// findNodes reads the labels of the Nodes that Pods run on, by name.
func findNodes(r *sdk.Reconcile, pods []corev1.Pod) (map[string]view.StringMap, error) {
	out := map[string]view.StringMap{}
	var queries []sdk.Query
	asked := map[string]bool{}
	for _, pod := range pods {
		name := pod.Spec().NodeName()
		if name == "" || asked[name] || !reachable(pod) {
			continue
		}
		asked[name] = true
		queries = append(queries, sdk.Query{Kind: kindNode, Name: name, MetadataOnly: true, Wakes: zoneWakes})
	}
	if len(queries) == 0 {
		return out, nil
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return nil, err
	}
	for i := range answers {
		switch err := sdk.AnswerError(queries[i], &answers[i]); {
		case errors.Is(err, sdk.ErrNotFound):
		case err != nil:
			return nil, err
		default:
			out[queries[i].Name] = metav1.PartialObjectMetadata(answers[i].Objects[0].Body).Metadata().Labels()
		}
	}
	return out, nil
}

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
		milli := milliCPU(quantity.String())
		if zone == "" || milli == 0 {
			return nil, nil //nolint:nilnil // there are none, and nothing is wrong
		}
		shares[zone] += milli
		total += milli
	}
	if len(shares) < 2 {
		return nil, nil //nolint:nilnil // see above
	}
	for zone := range shares {
		shares[zone] /= total
	}
	return shares, nil
}

// milliCPU is a quantity of processors in thousandths, 0 if it is not one.
func milliCPU(quantity string) float64 {
	for _, unit := range []struct {
		suffix string
		milli  float64
	}{{"n", 1e-6}, {"u", 1e-3}, {"m", 1}, {"k", 1e6}, {"", 1000}} {
		if digits, ok := strings.CutSuffix(quantity, unit.suffix); ok {
			n, err := strconv.ParseFloat(digits, 64)
			if err != nil {
				return 0
			}
			return math.Ceil(n * unit.milli)
		}
	}
	return 0
}
