// Command endpoints is three controllers of where a Service's traffic goes, with
// the behaviour of Kubernetes 1.37: one keeps Endpoints, one EndpointSlices, and one
// mirrors Endpoints that users wrote themselves into EndpointSlices.
package main

import (
	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
)

// version is set where the module is built: -ldflags "-X main.version=v1".
var version = "dev"

var (
	kindService   = &sdk.Kind{APIVersion: "v1", Kind: "Service"}
	kindPod       = &sdk.Kind{APIVersion: "v1", Kind: "Pod"}
	kindNode      = &sdk.Kind{APIVersion: "v1", Kind: "Node"}
	kindEndpoints = &sdk.Kind{APIVersion: "v1", Kind: "Endpoints"}
	kindSlice     = &sdk.Kind{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"}
)

// podFields is what is read of Pods.
var podFields = sdk.Fields(
	corev1.PodFields.Metadata(),
	corev1.PodFields.Spec().NodeName(),
	corev1.PodFields.Spec().Hostname(),
	corev1.PodFields.Spec().Subdomain(),
	corev1.PodFields.Spec().Containers(),
	corev1.PodFields.Spec().InitContainers(),
	corev1.PodFields.Status().Phase(),
	corev1.PodFields.Status().PodIP(),
	corev1.PodFields.Status().PodIPs(),
	corev1.PodFields.Status().Conditions(),
)

// podWakes is what can change of a Pod that is in the answer already.
var podWakes = sdk.Fields(
	corev1.PodFields.Metadata().DeletionTimestamp(),
	corev1.PodFields.Spec().Hostname(),
	corev1.PodFields.Spec().Subdomain(),
	corev1.PodFields.Status().Phase(),
	corev1.PodFields.Status().PodIP(),
	corev1.PodFields.Status().PodIPs(),
	corev1.PodFields.Status().Conditions().Status(),
)

// sliceWakes tells that somebody else has changed a slice. Its generation counts
// changes of everything but the metadata.
var sliceWakes = sdk.Fields(
	discoveryv1.EndpointSliceFields.Metadata().Generation(),
	discoveryv1.EndpointSliceFields.Metadata().DeletionTimestamp(),
)

// existence is all that matters of an object of which only presence counts.
var existence = sdk.Fields(corev1.EndpointsFields.Metadata().UID())

// concurrency is upstream's number of Services that are worked on at once.
const concurrency = 5

func init() {
	writes := sdk.Access{Kind: kindSlice, Verbs: []string{"create", "update", "delete"}}
	pods := sdk.Read{Kind: kindPod, Fields: podFields}
	sdk.Register(sdk.Module{Name: "endpoints", Version: version, Controllers: []sdk.Controller{
		{
			Name: "endpoints",
			// Endpoints without a Service have a key as well: what has been left of a
			// Service is removed.
			Virtual: &sdk.Virtual{Mappings: []sdk.Mapping{
				{Kind: kindService, Rule: abi.KeyRuleObject},
				{Kind: kindEndpoints, Rule: abi.KeyRuleObject, Wakes: existence},
			}},
			Reads:       []sdk.Read{pods},
			Access:      []sdk.Access{{Kind: kindEndpoints, Verbs: []string{"create", "update", "delete"}}},
			Concurrency: concurrency,
			MemoSchema:  1,
			Reconcile:   keepEndpoints,
		},
		{
			Name:         "endpointslice",
			Primary:      &sdk.Primary{Kind: kindService},
			Reads:        []sdk.Read{pods, {Kind: kindSlice}, {Kind: kindNode, Fields: nodeFields}},
			Access:       []sdk.Access{writes},
			ConfigSchema: sliceSchema,
			Metrics:      sliceMetrics,
			Concurrency:  concurrency,
			MemoSchema:   1,
			Reconcile:    keepSlices,
		},
		{
			Name:         "endpointslicemirroring",
			Primary:      &sdk.Primary{Kind: kindEndpoints},
			Reads:        []sdk.Read{{Kind: kindSlice}, {Kind: kindService}},
			Access:       []sdk.Access{writes},
			ConfigSchema: mirrorSchema,
			Metrics:      mirrorMetrics,
			Concurrency:  concurrency,
			Reconcile:    mirror,
		},
	}})
}

func main() {}
