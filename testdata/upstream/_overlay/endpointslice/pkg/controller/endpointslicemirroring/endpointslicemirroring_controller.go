// Package endpointslicemirroring, as Loopdock's test harness has it: the
// constructor of the native controller gives one that runs the
// endpointslicemirroring controller of the endpoints guest.
package endpointslicemirroring

import (
	"context"
	"time"

	coreinformers "k8s.io/client-go/informers/core/v1"
	discoveryinformers "k8s.io/client-go/informers/discovery/v1"
	clientset "k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
)

// ControllerName is what others look for in EndpointSlices.
const ControllerName = "endpointslicemirroring-controller.k8s.io"

// Controller runs the guest.
type Controller struct {
	client   clientset.Interface
	settings map[string]any
}

// NewController has the native constructor's shape.
func NewController(
	_ context.Context, endpoints coreinformers.EndpointsInformer, slices discoveryinformers.EndpointSliceInformer,
	services coreinformers.ServiceInformer, most int32, client clientset.Interface, _ time.Duration,
) *Controller {
	endpoints.Informer() // the native one registers them too
	slices.Informer()
	services.Informer()
	return &Controller{client: client, settings: map[string]any{"mirroringMaxEndpointsPerSubset": most}}
}

// Run runs the guest until ctx ends.
func (c *Controller) Run(ctx context.Context, workers int) {
	(&standin.Controller{
		Module: "endpoints", Name: "endpointslicemirroring", Workers: workers, Client: c.client.CoreV1().RESTClient(),
		Config: func() any { return c.settings },
	}).Run(ctx)
}
