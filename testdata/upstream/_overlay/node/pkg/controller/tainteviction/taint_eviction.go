// Package tainteviction, as Loopdock's test harness has it: the constructor of the
// native controller gives one that runs the tainteviction controller of the
// nodelifecycle guest.
package tainteviction

import (
	"context"

	corev1informers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
)

// Controller runs the guest.
type Controller struct {
	client clientset.Interface
}

// New has the native constructor's shape.
func New(_ context.Context, client clientset.Interface, pods corev1informers.PodInformer, nodes corev1informers.NodeInformer, _ string) (*Controller, error) {
	pods.Informer() // the native one registers them too
	nodes.Informer()
	return &Controller{client: client}, nil
}

// Run runs the guest until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	(&standin.Controller{
		Module: "nodelifecycle", Name: "tainteviction", Workers: 8, Client: c.client.CoreV1().RESTClient(),
		Config: func() any { return struct{}{} }, // it has no settings
	}).Run(ctx)
}
