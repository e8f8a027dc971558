package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
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
