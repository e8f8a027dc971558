package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
)

// found is the ReplicaSets that concern a Deployment.
type found struct {
	owned   []appsv1.ReplicaSet
	adopt   []appsv1.ReplicaSet // selected, without a controller
	release []appsv1.ReplicaSet // owned, no longer selected
}

// unclaimed reports whether there are ReplicaSets to adopt or to release.
func (f *found) unclaimed() bool { return len(f.adopt)+len(f.release) > 0 }

// orphanWakes is what wakes a Deployment about ReplicaSets that it may adopt,
// beside their coming.
var orphanWakes = sdk.Fields(
	appsv1.ReplicaSetFields.Metadata().Labels(),
	appsv1.ReplicaSetFields.Metadata().OwnerReferences(),
	appsv1.ReplicaSetFields.Metadata().DeletionTimestamp(),
)

// findReplicaSets reads the ReplicaSets that the Deployment owns, and the
// orphans that it could adopt.
func findReplicaSets(r *sdk.Reconcile, d *deployment) (found, error) {
	ns := d.meta.Namespace()
	queries := []sdk.Query{{Kind: kindReplicaSet, Namespace: ns, ControllerUID: d.meta.UID()}}
	if !d.terminating() && !d.selector.Nothing() {
		queries = append(queries, sdk.Query{
			Kind: kindReplicaSet, Namespace: ns, Orphans: true, LabelSelector: d.Spec().Selector(), Wakes: orphanWakes,
		})
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return found{}, err
	}
	var out found
	claimer := meta.NewClaimer(d.meta, d.selector)
	for i := range answers {
		if err := sdk.AnswerError(queries[i], &answers[i]); err != nil {
			return found{}, err
		}
		for _, rs := range sdk.Views[appsv1.ReplicaSet](answers[i].Objects) {
			switch claimer.Decide(rs.Metadata()) {
			case meta.Keep:
				out.owned = append(out.owned, rs)
			case meta.Adopt:
				out.adopt = append(out.adopt, rs)
			case meta.Release:
				out.release = append(out.release, rs)
			case meta.Ignore:
			}
		}
	}
	return out, nil
}
