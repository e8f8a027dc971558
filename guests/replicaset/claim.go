package main

import (
	"errors"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
)

// claimAgain is when to look at Pods that could be claimed only after others were.
const claimAgain = time.Second

// claim adopts and releases. Whether that succeeds decides how many Pods there
// are, so the reconcile goes on afterwards.
func claim(r *sdk.Reconcile, rs replicaSet, found podSet) error {
	ns, uid := rs.meta.Namespace(), rs.meta.UID()
	batch := r.Batch(sdk.Parallel)
	for _, pod := range found.release {
		m := pod.Metadata()
		// A Pod that is gone, or was replaced by another, needs no release.
		batch.Patch(kindPod, ns, m.Name(), sdk.StrategicPatch, meta.ReleasePatch(m.UID(), uid)).Tolerate(sdk.NotFound, sdk.Invalid)
	}
	if len(found.adopt) > 0 {
		if err := mayAdopt(r, rs); err != nil {
			return errors.New("can't adopt Pods: " + err.Error())
		}
	}
	ref := meta.NewControllerRef(kindReplicaSet.APIVersion, kindReplicaSet.Kind, rs.meta)
	for _, pod := range found.adopt {
		m := pod.Metadata()
		batch.Patch(kindPod, ns, m.Name(), sdk.StrategicPatch, meta.AdoptPatch(m.UID(), ref)).Tolerate(sdk.NotFound)
	}
	r.Continue(step{kind: stepClaimed, uid: uid}.encode())
	return nil
}

// mayAdopt asks the API server whether the ReplicaSet is still there and meant
// to stay: one that the cache does not yet show as deleted must not take Pods
// along that it did not own.
func mayAdopt(r *sdk.Reconcile, rs replicaSet) error {
	fresh, err := readLive(r, rs)
	if err == nil && fresh.Metadata().HasDeletionTimestamp() {
		return errors.New("the ReplicaSet has just been deleted")
	}
	return err
}
