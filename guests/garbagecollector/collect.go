package main

import (
	"bytes"
	"errors"
	"slices"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// collect deletes an object that has no owner left, and takes references to
// owners that are gone off one that has. Where the cache shows every owner in
// its place nothing is asked of the API server; before anything is done,
// everything is.
func collect(r *sdk.Reconcile, o object) error {
	done := decodeStep(r.Continuation())
	if over, err := done.outcome(r.Results()); over || err != nil {
		return err
	}
	seen, err := lookAround(r, o)
	if err != nil {
		return err
	}
	m := decodeMemo(r.Memo())
	m.tell(r, o, seen.elsewhere)
	m.keep(r)
	if !seen.doubtful {
		m.settle(r)
		return nil
	}
	live, found, err := readLive(r, o)
	if err == nil && found && live.OwnerReferencesLen() > 0 {
		err = act(r, live, seen, m, done)
	} else {
		m.settle(r)
	}
	switch {
	case errors.Is(err, errMisplaced):
		m.settle(r)
		return nil
	case errors.Is(err, sdk.ErrNoSuchKind):
		m.tryLater(r) // it may be served later, and is not known to be none
		return nil
	}
	return err
}

// act does what the owners' fate asks for.
func act(r *sdk.Reconcile, o object, seen outlook, m memo, done step) error {
	v, err := judge(r, o, seen.gone)
	if err != nil {
		return err
	}
	lost := append(slices.Clone(v.absent), v.waiting...)
	switch {
	case len(v.solid) > 0 && len(lost) == 0:
		if !slices.ContainsFunc(v.solid, func(ref metav1.OwnerReference) bool { return seen.unseen[ref.UID()] }) {
			m.settle(r)
			return nil
		}
		m.tryLater(r) // until the cache knows the owner, nothing tells of its end
		return nil
	case len(v.solid) > 0:
		m.settle(r)
		disown(r, o, uidsOf(lost), done.merge)
		return nil
	case len(v.waiting) > 0:
		m.settle(r)
		return follow(r, o, done)
	}
	m.settle(r)
	remove(r, o, propagation(o), done)
	return nil
}

// disown takes references to owners off an object. Custom resources know no
// strategic patches, which only the API server's answer tells.
func disown(r *sdk.Reconcile, o object, uids []string, merge bool) {
	if !merge {
		r.Patch(o.kind, o.Namespace(), o.Name(), sdk.StrategicPatch, meta.DisownPatch(o.UID(), uids...))
		r.Continue(step{kind: stepPatch}.encode())
		return
	}
	rest := slices.DeleteFunc(o.owners(), func(ref metav1.OwnerReference) bool { return slices.Contains(uids, ref.UID()) })
	r.Patch(o.kind, o.Namespace(), o.Name(), sdk.MergePatch, meta.OwnersMergePatch(o.ResourceVersion(), rest...))
}

// follow deletes an object together with owners that wait for it: in the
// foreground if it has dependents of its own. Where one of these waits too there
// may be a cycle, in which each would hold the other: then the object ceases to
// hold its owners first.
func follow(r *sdk.Reconcile, o object, done step) error {
	deps, err := dependents(r, o, false)
	if err != nil {
		return err
	}
	if len(deps) == 0 {
		remove(r, o, propagation(o), done)
		return nil
	}
	if slices.ContainsFunc(deps, object.waitsForDependents) && unblock(r, o, done.merge) {
		return nil
	}
	remove(r, o, sdk.Foreground, done)
	return nil
}

// unblock has an object hold none of its owners, and reports whether it did.
func unblock(r *sdk.Reconcile, o object, merge bool) bool {
	var all, blocking []metav1.OwnerReference
	for ref := range o.OwnerReferences() {
		if ref.BlockOwnerDeletion() {
			ref = ref.WithBlockOwnerDeletion(false)
			blocking = append(blocking, ref)
		}
		all = append(all, ref)
	}
	if len(blocking) == 0 {
		return false
	}
	if merge {
		r.Patch(o.kind, o.Namespace(), o.Name(), sdk.MergePatch, meta.OwnersMergePatch(o.ResourceVersion(), all...))
	} else {
		r.Patch(o.kind, o.Namespace(), o.Name(), sdk.StrategicPatch, meta.OwnersPatch(o.UID(), blocking...))
	}
	r.Continue(step{kind: stepPatch}.encode())
	return true
}

// remove deletes an object, unless it has changed since it was looked at. After a
// conflict only its references count: what else changes, however often, must not
// keep it.
func remove(r *sdk.Reconcile, o object, p abi.Propagation, done step) {
	refs := ownerBytes(o)
	a := r.Delete(o.kind, o.Namespace(), o.Name()).IfUID(o.UID()).Propagate(p)
	if done.kind != stepDelete || !bytes.Equal(done.rest, refs) {
		a.IfResourceVersion(o.ResourceVersion())
	}
	r.Continue(step{kind: stepDelete, rest: refs}.encode())
}

// propagation is what the object's finalizers ask for: else its dependents
// follow it.
func propagation(o object) abi.Propagation {
	switch {
	case o.hasFinalizer(finalizerOrphan):
		return sdk.Orphan
	case o.hasFinalizer(finalizerForeground):
		return sdk.Foreground
	}
	return sdk.Background
}
