// Package cronjob, as Loopdock's test harness has it: the constructor of the
// native controller gives one that runs the cronjob guest.
package cronjob

import (
	"context"

	batchinformers "k8s.io/client-go/informers/batch/v1"
	clientset "k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
)

// ControllerV2 runs the guest.
type ControllerV2 struct {
	client clientset.Interface
}

// NewControllerV2 has the native constructor's shape.
func NewControllerV2(_ context.Context, jobs batchinformers.JobInformer, cronJobs batchinformers.CronJobInformer, client clientset.Interface) (*ControllerV2, error) {
	jobs.Informer() // the native one registers them too, and tests look at them
	cronJobs.Informer()
	return &ControllerV2{client: client}, nil
}

// Run runs the guest until ctx ends.
func (c *ControllerV2) Run(ctx context.Context, workers int) {
	(&standin.Controller{
		Module: "cronjob", Name: "cronjob", Workers: workers, Client: c.client.AppsV1().RESTClient(),
		Config: func() any { return struct{}{} }, // it has no settings
	}).Run(ctx)
}
