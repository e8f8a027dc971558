package main

import (
	"math"
	"slices"
	"strconv"

	sdk "github.com/loopdock/loopdock/sdk-go"
)

// wasScaled reports whether the Deployment was scaled since its ReplicaSets were.
func wasScaled(d *deployment, sets replicaSets) bool {
	for _, set := range active(sets.all()) {
		if desired, ok := set.recorded(desiredAnnotation); ok && desired != d.replicas {
			return true
		}
	}
	return false
}

// recorded is a number of Pods in an annotation, and whether there is one.
func (s *replicaSet) recorded(key string) (int32, bool) {
	n, err := strconv.ParseUint(s.annotation(key), 10, 32)
	if err != nil || n > math.MaxInt32 {
		return 0, false
	}
	return int32(n), true
}

// resize passes the Deployment's size on to its ReplicaSets, without going on
// with a roll-out: it was scaled, or is paused.
func resize(r *sdk.Reconcile, d *deployment, sets replicaSets) error {
	if passSize(r, d, sets) {
		r.Continue(step{kind: stepResized, uid: d.meta.UID()}.encode())
		return nil
	}
	return settleResize(r, d, sets)
}

// settleResize ends a resize.
func settleResize(r *sdk.Reconcile, d *deployment, sets replicaSets) error {
	if _, rollingBack := rollbackTo(d); d.Spec().Paused() && !rollingBack {
		cleanUp(r, d, sets.old)
	}
	return settle(r, d, sets)
}

// passSize scales the ReplicaSets and reports whether it had to. One that has
// all Pods takes the whole change; several share it.
func passSize(r *sdk.Reconcile, d *deployment, sets replicaSets) bool {
	if only := onlyOne(sets); only != nil {
		if only.replicas == d.replicas {
			return false
		}
		scale(r, d, only, d.replicas)
		return true
	}
	if saturated(d, sets.updated) { // what was adopted since has no place any more
		old := active(sets.old)
		for _, set := range old {
			scale(r, d, set, 0)
		}
		return len(old) > 0
	}
	return d.rolling && share(r, d, active(sets.all()))
}

// onlyOne is the ReplicaSet that has all Pods or, where there are no Pods, the
// one that is to have them: that of the Deployment's template or the youngest.
// It is nil where several have Pods.
func onlyOne(sets replicaSets) *replicaSet {
	switch with := active(sets.all()); {
	case len(with) == 1:
		return with[0]
	case len(with) > 1:
		return nil
	case sets.updated != nil:
		return sets.updated
	case len(sets.old) > 0:
		return sets.old[len(sets.old)-1]
	}
	return nil
}

// saturated reports whether the ReplicaSet has all Pods that the Deployment
// wants, all of them are available, and both agree on how many that is.
func saturated(d *deployment, set *replicaSet) bool {
	if set == nil {
		return false
	}
	desired, err := strconv.Atoi(set.annotation(desiredAnnotation))
	return err == nil && desired == int(d.replicas) && set.replicas == d.replicas && set.available == d.replicas
}

// share distributes the Deployment's change of size over ReplicaSets in
// proportion to their own sizes, so that a bad template gets no larger part
// than it has. It reports whether something had to be written.
func share(r *sdk.Reconcile, d *deployment, sets []*replicaSet) bool {
	var allowed int32
	if d.replicas > 0 {
		allowed = d.maxReplicas()
	}
	change := allowed - total(sets)
	if change != 0 {
		slices.SortFunc(sets, func(a, b *replicaSet) int { return bySize(a, b, change > 0) })
	}
	sizes := make([]int32, len(sets))
	left := change
	for i, set := range sets {
		part := proportion(d, set, change, left)
		sizes[i] = set.replicas + part
		left -= part
	}
	written := false
	for i, set := range sets {
		if i == 0 { // what rounding leaves over goes to the largest
			sizes[i] = max(sizes[i]+left, 0)
		}
		if sizes[i] != set.replicas || !set.knowsSize(d) {
			scale(r, d, set, sizes[i])
			written = true
		}
	}
	return written
}

// bySize puts the largest first. Of equal ones those that are to grow first are
// the youngest, and those that are to shrink first the oldest.
func bySize(a, b *replicaSet, grow bool) int {
	switch {
	case a.replicas != b.replicas:
		return int(b.replicas) - int(a.replicas)
	case grow:
		return byAge(b, a)
	}
	return byAge(a, b)
}

// proportion is a ReplicaSet's part of a change, of which so much is left.
func proportion(d *deployment, set *replicaSet, change, left int32) int32 {
	switch {
	case change == 0 || left == 0:
		return 0
	case change > 0:
		return min(fraction(d, set), left)
	}
	return max(fraction(d, set), left)
}

// fraction is by how many Pods a ReplicaSet would have to change to keep its
// proportion to the Deployment's greatest size.
func fraction(d *deployment, set *replicaSet) int32 {
	if d.replicas == 0 {
		return -set.replicas
	}
	before, ok := set.recorded(maxAnnotation)
	if !ok || before == 0 { // somebody removed it
		before = d.status.Replicas()
	}
	if before == 0 {
		return 0
	}
	size := float64(set.replicas) * float64(d.maxReplicas()) / float64(before)
	return int32(math.Round(size)) - set.replicas
}
