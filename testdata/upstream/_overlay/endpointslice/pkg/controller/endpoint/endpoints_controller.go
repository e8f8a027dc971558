// Package endpoint, as Loopdock's test harness has it: the constructor of the
// native controller gives one that runs the endpoints controller of the endpoints
// guest.
package endpoint

import (
	"context"
	"time"

	coreinformers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
)

// What others look for in Endpoints.
const (
	LabelManagedBy = "endpoints.kubernetes.io/managed-by"
	ControllerName = "endpoint-controller"
)

// Controller runs the guest.
type Controller struct {
	client clientset.Interface
}

// NewEndpointController has the native constructor's shape.
func NewEndpointController(
	_ context.Context, pods coreinformers.PodInformer, services coreinformers.ServiceInformer,
	endpoints coreinformers.EndpointsInformer, client clientset.Interface, _ time.Duration,
) *Controller {
	pods.Informer() // the native one registers them too
	services.Informer()
	endpoints.Informer()
	return &Controller{client: client}
}

// Run runs the guest until ctx ends.
func (c *Controller) Run(ctx context.Context, workers int) {
	(&standin.Controller{
		Module: "endpoints", Name: "endpoints", Workers: workers, Client: c.client.CoreV1().RESTClient(),
		Config: func() any { return struct{}{} }, // it has no settings
	}).Run(ctx)
}
