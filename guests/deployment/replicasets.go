package main

import (
	"bytes"
	"cmp"
	"slices"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// replicaSet is a ReplicaSet of the Deployment, beside what is asked of it
// again and again.
type replicaSet struct {
	appsv1.ReplicaSet
	meta      metav1.ObjectMeta
	name      string
	created   metav1.Time
	replicas  int32 // as many Pods as it wants, or is to want
	available int32
	update    *sdk.Action // that asked for the present number, nil if none
}

// replicaSets is all ReplicaSets of a Deployment.
type replicaSets struct {
	updated *replicaSet   // the one with the Deployment's template, nil if none
	old     []*replicaSet // the others, oldest first
}

// newReplicaSets tells the ReplicaSet that has the Deployment's template from
// the others. Where several have it, the oldest is the one.
func newReplicaSets(d *deployment, owned []appsv1.ReplicaSet) replicaSets {
	list := make([]*replicaSet, len(owned))
	for i, rs := range owned {
		list[i] = newReplicaSet(rs)
	}
	slices.SortFunc(list, byAge)
	template := canonical(d.Spec().Template())
	var sets replicaSets
	for _, set := range list {
		if sets.updated == nil && bytes.Equal(canonical(set.Spec().Template()), template) {
			sets.updated = set
			continue
		}
		sets.old = append(sets.old, set)
	}
	return sets
}

func newReplicaSet(rs appsv1.ReplicaSet) *replicaSet {
	m, spec := rs.Metadata(), rs.Spec()
	set := &replicaSet{
		ReplicaSet: rs, meta: m, name: m.Name(), created: m.CreationTimestamp(),
		replicas: 1, available: rs.Status().AvailableReplicas(),
	}
	if spec.HasReplicas() {
		set.replicas = spec.Replicas()
	}
	return set
}

// all is the old ReplicaSets and the one with the Deployment's template.
func (s *replicaSets) all() []*replicaSet {
	if s.updated == nil {
		return s.old
	}
	return append(slices.Clip(s.old), s.updated)
}

// active is those that want Pods.
func active(sets []*replicaSet) []*replicaSet {
	var out []*replicaSet
	for _, set := range sets {
		if set.replicas > 0 {
			out = append(out, set)
		}
	}
	return out
}

// byAge puts the oldest first; names decide among those of the same second.
func byAge(a, b *replicaSet) int {
	switch {
	case a.created.Before(b.created):
		return -1
	case b.created.Before(a.created):
		return 1
	}
	return cmp.Compare(a.name, b.name)
}

// total is the number of Pods that the ReplicaSets want.
func total(sets []*replicaSet) (n int32) {
	for _, set := range sets {
		n += set.replicas
	}
	return n
}

// totalAvailable is the number of Pods that are available.
func totalAvailable(sets []*replicaSet) (n int32) {
	for _, set := range sets {
		n += set.available
	}
	return n
}

// annotation is the value of an annotation, empty if there is none.
func (s *replicaSet) annotation(key string) string {
	v, _ := s.meta.Annotations().Get(key)
	return v
}
