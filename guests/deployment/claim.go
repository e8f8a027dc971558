package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
)

// claim adopts and releases. Whether that succeeds decides what is rolled out
// already, so the reconcile goes on afterwards.
func claim(r *sdk.Reconcile, d *deployment, sets found) error {
	ns, uid := d.meta.Namespace(), d.meta.UID()
	batch := r.Batch(sdk.Parallel)
	for _, rs := range sets.release {
		m := rs.Metadata()
		// One that is gone, or was replaced by another, needs no release.
		batch.Patch(kindReplicaSet, ns, m.Name(), sdk.StrategicPatch, meta.ReleasePatch(m.UID(), uid)).Tolerate(sdk.NotFound, sdk.Invalid)
	}
	if len(sets.adopt) > 0 {
		if err := mayAdopt(r, d); err != nil {
			return errors.New("can't adopt ReplicaSets: " + err.Error())
		}
	}
	ref := meta.NewControllerRef(kindDeployment.APIVersion, kindDeployment.Kind, d.meta)
	for _, rs := range sets.adopt {
		m := rs.Metadata()
		batch.Patch(kindReplicaSet, ns, m.Name(), sdk.StrategicPatch, meta.AdoptPatch(m.UID(), ref)).Tolerate(sdk.NotFound)
	}
	r.Continue(step{kind: stepClaimed, uid: uid}.encode())
	return nil
}

// mayAdopt asks the API server whether the Deployment is still there and meant
// to stay: one that the cache does not yet show as deleted must not take
// ReplicaSets along that it did not own.
func mayAdopt(r *sdk.Reconcile, d *deployment) error {
	fresh, err := readLive(r, d)
	if err == nil && fresh.Metadata().HasDeletionTimestamp() {
		return errors.New("the Deployment has just been deleted")
	}
	return err
}
