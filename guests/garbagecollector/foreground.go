package main

import (
	"slices"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
)

// finish lets an object go that is being deleted in the foreground, once no
// dependent blocks it any more. The dependents delete themselves: its deletion
// has run their keys.
func finish(r *sdk.Reconcile, o object) error {
	deps, err := dependents(r, o, true)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(deps, func(d object) bool { return d.blocks(o.UID()) }) {
		return nil
	}
	return release(r, o, finalizerForeground)
}

// release takes a finalizer off an object, as the API server has it.
func release(r *sdk.Reconcile, o object, finalizer string) error {
	live, found, err := readLive(r, o)
	if err != nil || !found || !live.hasFinalizer(finalizer) {
		return err
	}
	rest := slices.DeleteFunc(slices.Collect(live.Finalizers()), func(f string) bool { return f == finalizer })
	r.Patch(o.kind, o.Namespace(), o.Name(), sdk.MergePatch, meta.FinalizersMergePatch(live.ResourceVersion(), rest...)).
		Tolerate(sdk.NotFound)
	return nil
}
