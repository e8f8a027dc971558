package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
)

// reconcile looks at one object that has owners, or whose deletion waits for its
// dependents. It keeps no graph: who owns what is asked of the host, which runs
// the key again when an owner is deleted or begins to be.
func reconcile(r *sdk.Reconcile) error {
	if !r.Exists() {
		return nil
	}
	o := keyObject(r)
	switch {
	case !o.HasDeletionTimestamp():
		return collect(r, o)
	case o.hasFinalizer(finalizerOrphan):
		return orphan(r, o)
	case o.hasFinalizer(finalizerForeground):
		return finish(r, o)
	}
	return nil // it is on its way; its dependents are looked at when it is gone
}
