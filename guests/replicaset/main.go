// Command replicaset is the ReplicaSet controller as a guest: it keeps as many
// Pods as a ReplicaSet asks for, with the behaviour of Kubernetes 1.37.
package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// version is set where the module is built: -ldflags "-X main.version=v1".
var version = "dev"

var (
	kindReplicaSet = &sdk.Kind{APIVersion: "apps/v1", Kind: "ReplicaSet"}
	kindPod        = &sdk.Kind{APIVersion: "v1", Kind: "Pod"}
)

// podFields is all of a Pod that this controller looks at. The cache may drop the rest.
var podFields = sdk.Fields(
	corev1.PodFields.Metadata(),
	corev1.PodFields.Spec().NodeName(),
	corev1.PodFields.Spec().InitContainers().Name(),
	corev1.PodFields.Spec().InitContainers().RestartPolicy(),
	corev1.PodFields.Status().Phase(),
	corev1.PodFields.Status().Conditions(),
	corev1.PodFields.Status().ContainerStatuses().RestartCount(),
	corev1.PodFields.Status().InitContainerStatuses().Name(),
	corev1.PodFields.Status().InitContainerStatuses().RestartCount(),
)

// concurrency is upstream's number of concurrent ReplicaSet syncs.
const concurrency = 5

func init() {
	sdk.Register(sdk.Module{Name: "replicaset", Version: version, Controllers: []sdk.Controller{{
		Name:    "replicaset",
		Primary: &sdk.Primary{Kind: kindReplicaSet},
		Reads: []sdk.Read{
			{Kind: kindReplicaSet, Live: true},
			{Kind: kindPod, Fields: podFields},
		},
		Access: []sdk.Access{
			{Kind: kindPod, Verbs: []string{"create", "patch", "delete"}},
			{Kind: kindReplicaSet, Subresource: "status", Verbs: []string{"update"}},
		},
		ConfigSchema: settingsSchema,
		Metrics:      []sdk.Metric{deletionAgeRatio},
		Concurrency:  concurrency,
		Reconcile:    reconcile,
	}}})
}

func main() {}
