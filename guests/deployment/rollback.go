package main

import (
	"strconv"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
)

// Reasons of the Events about a rollback.
const (
	reasonRolledBack        = "DeploymentRollback"
	reasonRevisionNotFound  = "DeploymentRollbackRevisionNotFound"
	reasonTemplateUnchanged = "DeploymentRollbackTemplateUnchanged"
)

// rollbackTo is the revision that the Deployment is asked to go back to, zero
// for the one before the latest, by the annotation that stands for the field of
// the API's former versions, and whether it is asked at all.
func rollbackTo(d *deployment) (int64, bool) {
	text, _ := d.meta.Annotations().Get(appsv1.DeprecatedRollbackTo)
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// rollBack puts the template of an earlier revision into the Deployment, and
// takes the wish for it away, also where it can't be fulfilled. The roll-out
// follows from that.
func rollBack(r *sdk.Reconcile, d *deployment, sets replicaSets, revision int64) error {
	if sets.updated == nil {
		return create(r, d, sets)
	}
	noted := d.writeStatus(r, d.status)
	body := d.WithMetadata(d.meta.WithAnnotation(revisionAnnotation, d.revision))
	if revision == 0 {
		revision = lastRevision(sets.all())
	}
	set := withRevision(sets.all(), revision)
	done := ""
	switch {
	case revision == 0:
		r.Event(sdk.Warning, reasonRevisionNotFound, "Unable to find last revision.")
	case set == nil:
		r.Event(sdk.Warning, reasonRevisionNotFound, "Unable to find the revision to rollback to.")
	case sameTemplate(set.Spec().Template(), d.Spec().Template()):
		r.Event(sdk.Warning, reasonTemplateUnchanged, "The rollback revision contains the same template as current deployment "+d.quoted())
	default:
		body = rolledBack(body, set)
		done = "Rolled back deployment " + d.quoted() + " to revision " + strconv.FormatInt(revision, 10)
	}
	body = body.WithMetadata(body.Metadata().WithoutAnnotation(appsv1.DeprecatedRollbackTo))
	update := r.Update(kindDeployment, d.meta.Namespace(), d.meta.Name(), body)
	if noted != nil {
		update.Following(noted)
	}
	if done != "" {
		r.Event(sdk.Normal, reasonRolledBack, done)
	}
	return nil
}

// withRevision is the first ReplicaSet that has a revision, nil if none has it.
func withRevision(sets []*replicaSet, revision int64) *replicaSet {
	for _, set := range sets {
		if n, ok := set.revision(); ok && n == revision {
			return set
		}
	}
	return nil
}

// rolledBack gives a Deployment with a ReplicaSet's template, and with the
// annotations that the Deployment had when it was rolled out: they would be
// passed on to the ReplicaSet otherwise.
func rolledBack(d appsv1.Deployment, set *replicaSet) appsv1.Deployment {
	template := set.Spec().Template()
	template = template.WithMetadata(template.Metadata().WithoutLabel(hashLabel))
	var annotations view.StringMap
	for key, value := range d.Metadata().Annotations().All() {
		if ownAnnotations[key] {
			annotations = annotations.With(key, value)
		}
	}
	for key, value := range set.meta.Annotations().All() {
		if !ownAnnotations[key] {
			annotations = annotations.With(key, value)
		}
	}
	return d.WithMetadata(d.Metadata().WithAnnotations(annotations)).WithSpec(d.Spec().WithTemplate(template))
}
