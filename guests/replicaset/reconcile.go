package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// replicaSet is the object of one reconcile, beside what is asked of it again
// and again.
type replicaSet struct {
	appsv1.ReplicaSet
	settings
	meta            metav1.ObjectMeta
	selector        meta.Selector
	replicas        int
	minReadySeconds int32
}

// reconcile takes up to three steps: claim the Pods, make them as many as
// wanted, write the status. A step that asks for actions whose results matter
// ends the call, and the next one continues in another.
func reconcile(r *sdk.Reconcile) error {
	if !r.Exists() {
		return nil
	}
	rs, err := newReplicaSet(r.Object(), readSettings(r))
	if err != nil {
		r.Error("the ReplicaSet's selector is not valid", "error", err)
		return nil
	}
	found, err := findPods(r, rs)
	if err != nil {
		return err
	}
	done := decodeStep(r.Continuation(), rs.meta.UID())
	switch done.kind {
	case stepScaled:
		return settle(r, rs, found, account(r, done))
	case stepClaimed:
		if err := sdk.Failures("cannot claim Pods", r.Results()); err != nil {
			return err
		}
	case stepNone:
		if found.unclaimed() {
			return claim(r, rs, found)
		}
	}
	if rs.meta.HasDeletionTimestamp() || len(found.active) == rs.replicas {
		return settle(r, rs, found, scaled{})
	}
	if err := scale(r, rs, found.active); err != nil {
		return settle(r, rs, found, scaled{reason: reasonFailedCreate, err: err})
	}
	return nil
}

// settle ends a reconcile: it writes the status and says when to look again.
func settle(r *sdk.Reconcile, rs replicaSet, found podSet, outcome scaled) error {
	status := newStatus(rs, found, outcome, r.Now())
	if err := writeStatus(r, rs, status); err != nil {
		return err
	}
	if outcome.err != nil {
		return outcome.err
	}
	if outcome.progress && len(found.active) != rs.replicas && !rs.meta.HasDeletionTimestamp() {
		r.RequeueAfter(0) // a large change is made in portions
	}
	if found.unclaimed() {
		r.RequeueAfter(claimAgain) // these came while others were claimed
	}
	awaitAvailability(r, rs, found.active, status)
	return nil
}

// newReplicaSet looks at an object. The error is about its selector.
func newReplicaSet(body []byte, s settings) (replicaSet, error) {
	rs := replicaSet{ReplicaSet: body, settings: s, replicas: 1}
	rs.meta = rs.Metadata()
	spec := rs.Spec()
	if spec.HasReplicas() {
		rs.replicas = int(spec.Replicas())
	}
	rs.minReadySeconds = spec.MinReadySeconds()
	selector, err := meta.NewSelector(spec.Selector())
	rs.selector = selector
	return rs, err
}

// readLive reads the ReplicaSet from the API server. One that was replaced by
// another of the same name is an error.
func readLive(r *sdk.Reconcile, rs replicaSet) (appsv1.ReplicaSet, error) {
	fresh, err := sdk.Get[appsv1.ReplicaSet](r, sdk.Query{
		Kind: kindReplicaSet, Namespace: rs.meta.Namespace(), Name: rs.meta.Name(), Live: true, Quiet: true,
	})
	if err != nil {
		return nil, err
	}
	if uid := fresh.Metadata().UID(); uid != rs.meta.UID() {
		return nil, errors.New("the ReplicaSet was replaced by one with UID " + uid)
	}
	return fresh, nil
}
