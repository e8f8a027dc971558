package main

import (
	"time"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// deletionAgeRatio shows whether young Pods are deleted before old ones.
var deletionAgeRatio = sdk.Metric{
	Name:    "sorting_deletion_age_ratio",
	Help:    "Age of a ready Pod chosen for deletion, as a multiple of the youngest ready Pod's age.",
	Type:    abi.MetricTypeHistogram,
	Buckets: []float64{0.25, 0.5, 1, 2, 4, 8},
}

// observeAges reports the ratio for each ready Pod of those chosen, which are
// the first so many. It is a whole number, as upstream's is.
func observeAges(r *sdk.Reconcile, ordered []corev1.Pod, chosen int) {
	now := r.Now()
	var youngest time.Time
	for _, pod := range ordered {
		if created := createdAt(pod); created.After(youngest) && meta.IsPodReady(pod) {
			youngest = created
		}
	}
	age := now.Sub(youngest).Milliseconds()
	if age <= 0 {
		return // younger than a millisecond: no measure
	}
	for _, pod := range ordered[:chosen] {
		if meta.IsPodReady(pod) {
			r.Observe(deletionAgeRatio.Name, float64(now.Sub(createdAt(pod)).Milliseconds()/age))
		}
	}
}

func createdAt(pod corev1.Pod) time.Time { return pod.Metadata().CreationTimestamp().Time() }
