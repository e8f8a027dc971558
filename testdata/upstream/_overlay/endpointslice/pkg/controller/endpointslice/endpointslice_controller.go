// Package endpointslice, as Loopdock's test harness has it: the constructor of the
// native controller gives one that runs the endpointslice controller of the
// endpoints guest.
package endpointslice

import (
	"context"
	"time"

	coreinformers "k8s.io/client-go/informers/core/v1"
	discoveryinformers "k8s.io/client-go/informers/discovery/v1"
	clientset "k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
)

// ControllerName is what others look for in EndpointSlices.
const ControllerName = "endpointslice-controller.k8s.io"

// Controller runs the guest.
type Controller struct {
	client   clientset.Interface
	settings map[string]any
}

// NewController has the native constructor's shape.
func NewController(
	_ context.Context, pods coreinformers.PodInformer, services coreinformers.ServiceInformer, nodes coreinformers.NodeInformer,
	slices discoveryinformers.EndpointSliceInformer, most int32, client clientset.Interface, _ time.Duration,
) *Controller {
	pods.Informer() // the native one registers them too
	services.Informer()
	nodes.Informer()
	slices.Informer()
	return &Controller{client: client, settings: map[string]any{"maxEndpointsPerSlice": most}}
}

// Run runs the guest until ctx ends.
func (c *Controller) Run(ctx context.Context, workers int) {
	(&standin.Controller{
		Module: "endpoints", Name: "endpointslice", Workers: workers, Client: c.client.CoreV1().RESTClient(),
		Config: func() any { return c.settings },
	}).Run(ctx)
}
