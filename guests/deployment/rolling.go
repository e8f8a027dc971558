package main

import sdk "github.com/loopdock/loopdock/sdk-go"

// roll takes the next step of a rolling update: more Pods of the Deployment's
// template, as far as the surge allows, else less of the old ones, as far as
// enough stay available.
func roll(r *sdk.Reconcile, d *deployment, sets replicaSets) error {
	if sets.updated == nil {
		return create(r, d, sets)
	}
	if resizeUpdated(r, d, sets) || shrink(r, d, sets) {
		r.Continue(step{kind: stepRolled, uid: d.meta.UID()}.encode())
		return nil
	}
	if complete(d, d.status) {
		cleanUp(r, d, sets.old)
	}
	return settleRollOut(r, d, sets)
}

// resizeUpdated scales the ReplicaSet that has the Deployment's template, and
// reports whether it had to.
func resizeUpdated(r *sdk.Reconcile, d *deployment, sets replicaSets) bool {
	set, replicas := sets.updated, d.replicas
	if set.replicas < d.replicas {
		replicas = grown(d, sets, set.replicas)
	}
	if set.replicas == replicas {
		return false
	}
	scale(r, d, set, replicas)
	return true
}

// grown is how many Pods the ReplicaSet that has the Deployment's template is to
// want, if it has fewer than the Deployment wants.
func grown(d *deployment, sets replicaSets, replicas int32) int32 {
	room := d.maxReplicas() - total(sets.all())
	return replicas + max(min(room, d.replicas-replicas), 0)
}

// shrink scales old ReplicaSets down and reports whether it did. Those Pods go
// first that are not available, since nobody misses them.
func shrink(r *sdk.Reconcile, d *deployment, sets replicaSets) bool {
	old := active(sets.old)
	if len(old) == 0 {
		return false
	}
	least := d.replicas - d.unavailable
	// Updated Pods that are not available yet are no reason for old ones to go.
	starting := sets.updated.replicas - sets.updated.available
	room := total(sets.all()) - least - starting
	if room <= 0 {
		return false
	}
	scaled, reliable := dropUnavailable(r, d, old, room)
	if reliable && dropAvailable(r, d, old, totalAvailable(old)+sets.updated.available-least) {
		scaled = true
	}
	return scaled
}

// dropUnavailable scales down by Pods that are not available, room at most. The
// counts are not reliable where a ReplicaSet has more available Pods than it
// wants: it is being scaled down already.
func dropUnavailable(r *sdk.Reconcile, d *deployment, old []*replicaSet, room int32) (scaled, reliable bool) {
	for _, set := range old {
		broken := set.replicas - set.available
		switch {
		case room <= 0:
			return scaled, true
		case broken < 0:
			return scaled, false
		case broken == 0:
			continue
		}
		n := min(room, broken)
		scale(r, d, set, set.replicas-n)
		room -= n
		scaled = true
	}
	return scaled, true
}

// dropAvailable scales down by room Pods, the oldest ReplicaSets first, and
// reports whether there were any to scale down.
func dropAvailable(r *sdk.Reconcile, d *deployment, old []*replicaSet, room int32) (scaled bool) {
	for _, set := range old {
		if room <= 0 {
			break
		}
		n := min(room, set.replicas)
		if n == 0 {
			continue
		}
		scale(r, d, set, set.replicas-n)
		room -= n
		scaled = true
	}
	return scaled
}
