package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// scale asks for the Pods that are missing, or for the end of those that are
// too many, and continues. The error is about a template that no Pod can be
// made of.
func scale(r *sdk.Reconcile, rs replicaSet, active []corev1.Pod) error {
	missing := rs.replicas - len(active)
	done := step{kind: stepScaled, uid: rs.meta.UID()}
	if missing > 0 {
		if rs.Spec().Template().Metadata().Labels().Len() == 0 {
			return errors.New("unable to create pods, no labels")
		}
		create(r, rs, min(missing, rs.burst))
	} else {
		done.deleting = remove(r, rs, choose(r, rs, active, min(-missing, rs.burst)))
	}
	r.Continue(done.encode())
	return nil
}

// create asks for Pods in a slow start: where the first fails, for a quota or
// the like, the others are not tried.
func create(r *sdk.Reconcile, rs replicaSet, count int) {
	body := podOf(rs)
	batch := r.Batch(sdk.SlowStart)
	for range count {
		batch.Create(kindPod, rs.meta.Namespace(), "", body)
	}
}

// remove asks for the end of Pods and gives their names.
func remove(r *sdk.Reconcile, rs replicaSet, victims []corev1.Pod) []string {
	names := make([]string, len(victims))
	batch := r.Batch(sdk.Parallel)
	for i, pod := range victims {
		m := pod.Metadata()
		names[i] = m.Name()
		batch.Delete(kindPod, rs.meta.Namespace(), names[i]).IfUID(m.UID())
	}
	return names
}
