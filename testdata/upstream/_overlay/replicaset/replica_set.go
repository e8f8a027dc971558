// Package replicaset, as Loopdock's test harness has it: the constructor of the
// native controller gives one that runs the replicaset guest.
package replicaset

import (
	"context"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/features"
)

const (
	// BurstReplicas is the most pods that one sync creates or deletes.
	BurstReplicas = 500

	statusUpdateRetries = 1
)

// ReplicaSetControllerFeatures is what the package's other files ask.
type ReplicaSetControllerFeatures struct {
	EnableStatusTerminatingReplicas bool
}

// DefaultReplicaSetControllerFeatures are those of the native controller.
func DefaultReplicaSetControllerFeatures() ReplicaSetControllerFeatures {
	return ReplicaSetControllerFeatures{EnableStatusTerminatingReplicas: true}
}

// ReplicaSetController runs the guest.
type ReplicaSetController struct {
	client clientset.Interface
	burst  int
}

// NewReplicaSetController has the native constructor's shape.
func NewReplicaSetController(_ context.Context, sets appsinformers.ReplicaSetInformer, pods coreinformers.PodInformer, client clientset.Interface, burst int) *ReplicaSetController {
	sets.Informer() // the native one registers them too, and tests look at them
	pods.Informer()
	return &ReplicaSetController{client: client, burst: burst}
}

// config is the guest's configuration.
type config struct {
	BurstReplicas       int  `json:"burstReplicas"`
	PodDeletionCost     bool `json:"podDeletionCost"`
	TerminatingReplicas bool `json:"terminatingReplicas"`
}

// Run runs the guest until ctx ends.
func (c *ReplicaSetController) Run(ctx context.Context, workers int) {
	(&standin.Controller{
		Module: "replicaset", Name: "replicaset", Workers: workers, Client: c.client.AppsV1().RESTClient(),
		Config: func() any { // tests flip gates while it runs
			return config{
				BurstReplicas:       c.burst,
				PodDeletionCost:     utilfeature.DefaultFeatureGate.Enabled(features.PodDeletionCost),
				TerminatingReplicas: utilfeature.DefaultFeatureGate.Enabled(features.DeploymentReplicaSetTerminatingReplicas),
			}
		},
	}).Run(ctx)
}
