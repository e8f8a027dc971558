package main

import (
	"time"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
)

// creationSkew shows how late Jobs start.
var creationSkew = sdk.Metric{
	Name:    "job_creation_skew_duration_seconds",
	Help:    "Seconds from when a Job was scheduled to start until it was created.",
	Type:    abi.MetricTypeHistogram,
	Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512},
}

// observeSkew reports how long after its scheduled time a Job was created.
func observeSkew(r *sdk.Reconcile, job batchv1.Job, scheduled time.Time) {
	created := job.Metadata().CreationTimestamp().Time()
	r.Observe(creationSkew.Name, created.Sub(scheduled).Seconds())
}
