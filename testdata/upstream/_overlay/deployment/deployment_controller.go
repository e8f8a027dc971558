// Package deployment, as Loopdock's test harness has it: the constructor of the
// native controller gives one that runs the deployment guest.
package deployment

import (
	"context"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/features"
)

// DeploymentController runs the guest.
type DeploymentController struct {
	client clientset.Interface
}

// NewDeploymentController has the native constructor's shape.
func NewDeploymentController(_ context.Context, deployments appsinformers.DeploymentInformer, sets appsinformers.ReplicaSetInformer, pods coreinformers.PodInformer, client clientset.Interface) (*DeploymentController, error) {
	deployments.Informer() // the native one registers them too, and tests look at them
	sets.Informer()
	pods.Informer()
	return &DeploymentController{client: client}, nil
}

// config is the guest's configuration.
type config struct {
	TerminatingReplicas bool `json:"terminatingReplicas"`
}

// Run runs the guest until ctx ends.
func (c *DeploymentController) Run(ctx context.Context, workers int) {
	(&standin.Controller{
		Module: "deployment", Name: "deployment", Workers: workers, Client: c.client.AppsV1().RESTClient(),
		Config: func() any { // tests flip gates while it runs
			return config{TerminatingReplicas: utilfeature.DefaultFeatureGate.Enabled(features.DeploymentReplicaSetTerminatingReplicas)}
		},
	}).Run(ctx)
}
