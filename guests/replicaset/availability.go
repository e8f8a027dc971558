package main

import (
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// awaitAvailability looks again when the next Pod will have been ready for
// minReadySeconds: nothing else tells.
func awaitAvailability(r *sdk.Reconcile, rs replicaSet, active []corev1.Pod, status appsv1.ReplicaSetStatus) {
	if rs.minReadySeconds <= 0 || status.ReadyReplicas() == status.AvailableReplicas() {
		return
	}
	next := time.Duration(rs.minReadySeconds) * time.Second
	found := false
	for _, pod := range active {
		if wait, ok := meta.NextPodAvailability(pod, rs.minReadySeconds, r.Now()); ok && (!found || wait < next) {
			next, found = wait, true
		}
	}
	r.RequeueAfter(next)
}
