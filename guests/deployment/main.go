// Command deployment is the Deployment controller as a guest: it rolls
// templates out through ReplicaSets, with the behaviour of Kubernetes 1.37.
package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// version is set where the module is built: -ldflags "-X main.version=v1".
var version = "dev"

var (
	kindDeployment = &sdk.Kind{APIVersion: "apps/v1", Kind: "Deployment"}
	kindReplicaSet = &sdk.Kind{APIVersion: "apps/v1", Kind: "ReplicaSet"}
	kindPod        = &sdk.Kind{APIVersion: "v1", Kind: "Pod"}
)

// podFields is all of a Pod that this controller looks at. The cache may drop the rest.
var podFields = sdk.Fields(
	corev1.PodFields.Metadata(),
	corev1.PodFields.Status().Phase(),
)

// concurrency is upstream's number of concurrent Deployment syncs.
const concurrency = 5

func init() {
	sdk.Register(sdk.Module{Name: "deployment", Version: version, Controllers: []sdk.Controller{{
		Name:    "deployment",
		Primary: &sdk.Primary{Kind: kindDeployment},
		Reads: []sdk.Read{
			{Kind: kindDeployment, Live: true},
			{Kind: kindReplicaSet},
			{Kind: kindPod, Fields: podFields},
		},
		Access: []sdk.Access{
			{Kind: kindDeployment, Verbs: []string{"update"}},
			{Kind: kindDeployment, Subresource: "status", Verbs: []string{"update"}},
			{Kind: kindReplicaSet, Verbs: []string{"create", "update", "patch", "delete"}},
		},
		ConfigSchema: settingsSchema,
		Concurrency:  concurrency,
		Reconcile:    reconcile,
	}}})
}

func main() {}
