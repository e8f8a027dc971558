package main

import (
	"math"
	"slices"

	sdk "github.com/loopdock/loopdock/sdk-go"
)

// cleanUp asks for the end of the oldest revisions beyond the limit, if they
// have no Pods.
func cleanUp(r *sdk.Reconcile, d *deployment, old []*replicaSet) {
	spec := d.Spec()
	limit := spec.RevisionHistoryLimit()
	if !spec.HasRevisionHistoryLimit() || limit == math.MaxInt32 {
		return
	}
	var kept []*replicaSet
	for _, set := range old {
		if !set.meta.HasDeletionTimestamp() {
			kept = append(kept, set)
		}
	}
	slices.SortStableFunc(kept, byRevision)
	for _, set := range kept[:max(len(kept)-int(limit), 0)] {
		status := set.Status()
		if status.Replicas() == 0 && set.replicas == 0 && set.meta.Generation() <= status.ObservedGeneration() {
			r.Delete(kindReplicaSet, d.meta.Namespace(), set.name).IfUID(set.meta.UID()).Tolerate(sdk.NotFound)
		}
	}
}

// byRevision puts the earliest first. Age decides where a revision is unknown.
func byRevision(a, b *replicaSet) int {
	n, known := a.revision()
	m, alsoKnown := b.revision()
	switch {
	case !known || !alsoKnown || n == m:
		return byAge(a, b)
	case n < m:
		return -1
	}
	return 1
}
