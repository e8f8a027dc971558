// Command cronjob is the CronJob controller as a guest: it creates Jobs by a
// schedule, with the behaviour of Kubernetes 1.37.
package main

import (
	_ "time/tzdata" // a guest has no files to read time zones from

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
)

// version is set where the module is built: -ldflags "-X main.version=v1".
var version = "dev"

var (
	kindCronJob = &sdk.Kind{APIVersion: "batch/v1", Kind: "CronJob"}
	kindJob     = &sdk.Kind{APIVersion: "batch/v1", Kind: "Job"}
)

// jobFields is all of a Job that this controller looks at. The cache may drop the rest.
var jobFields = sdk.Fields(
	batchv1.JobFields.Metadata(),
	batchv1.JobFields.Status().Conditions(),
	batchv1.JobFields.Status().StartTime(),
	batchv1.JobFields.Status().CompletionTime(),
)

// concurrency is upstream's number of concurrent CronJob syncs.
const concurrency = 5

func init() {
	sdk.Register(sdk.Module{Name: "cronjob", Version: version, Controllers: []sdk.Controller{{
		Name:    "cronjob",
		Primary: &sdk.Primary{Kind: kindCronJob},
		Reads: []sdk.Read{
			{Kind: kindCronJob, Live: true},
			{Kind: kindJob, Fields: jobFields, Live: true},
		},
		Access: []sdk.Access{
			{Kind: kindJob, Verbs: []string{"create", "delete"}},
			{Kind: kindCronJob, Subresource: "status", Verbs: []string{"update"}},
		},
		Metrics:     []sdk.Metric{creationSkew},
		Concurrency: concurrency,
		Reconcile:   reconcile,
	}}})
}

func main() {}
