package informercache

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// indexes find objects by something else than their name. An index holds
// slots, which an update does not change, so that updates touch an index only
// where the indexed value changed.
type indexes struct {
	labels   postings[label]
	owners   postings[types.UID] // "" holds what has no controller
	declared map[indexKey]*declaredIndex
}

type declaredIndex struct {
	index Index
	postings[string]
}

func newIndexes(declared []Index) indexes {
	x := indexes{labels: postings[label]{}, owners: postings[types.UID]{}, declared: map[indexKey]*declaredIndex{}}
	for _, d := range declared {
		x.declared[d.key()] = newDeclaredIndex(d)
	}
	return x
}

func newDeclaredIndex(i Index) *declaredIndex {
	return &declaredIndex{index: i, postings: postings[string]{}}
}

// update moves a slot from what held before to what holds now; either may be nil.
func (x *indexes) update(slot uint32, before, now *Object) {
	x.updateLabels(slot, before, now)
	x.updateOwners(slot, before, now)
	for _, d := range x.declared {
		d.update(slot, before, now)
	}
}

func (x *indexes) updateLabels(slot uint32, before, now *Object) {
	if before != nil && now != nil && before.labels == now.labels {
		return
	}
	if before != nil {
		for _, l := range before.labels.pairs {
			x.labels.remove(l, slot)
		}
	}
	if now != nil {
		for _, l := range now.labels.pairs {
			x.labels.add(l, slot)
		}
	}
}

func (x *indexes) updateOwners(slot uint32, before, now *Object) {
	if before != nil && now != nil && before.owners == now.owners {
		return
	}
	if before != nil {
		for _, uid := range before.owners.uids() {
			x.owners.remove(uid, slot)
		}
	}
	if now != nil {
		for _, uid := range now.owners.uids() {
			x.owners.add(uid, slot)
		}
	}
}

func (d *declaredIndex) update(slot uint32, before, now *Object) {
	var old, values []string
	if before != nil {
		old = indexValues(before, d.index)
	}
	if now != nil {
		values = indexValues(now, d.index)
	}
	if slices.Equal(old, values) {
		return
	}
	for _, v := range old {
		d.remove(v, slot)
	}
	for _, v := range values {
		d.add(v, slot)
	}
}
