package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// create asks for the ReplicaSet of the Deployment's template and continues.
func create(r *sdk.Reconcile, d *deployment, sets replicaSets) error {
	body, replicas := newBody(d, sets), d.replicas
	if d.rolling {
		replicas = grown(d, sets, 0)
	}
	body = body.WithSpec(body.Spec().WithReplicas(replicas))
	name := body.Metadata().Name()
	// One that is there already may have another template: look before it counts.
	r.Create(kindReplicaSet, d.meta.Namespace(), name, body).Tolerate(sdk.AlreadyExists)
	r.Continue(step{kind: stepCreated, uid: d.meta.UID(), name: name, replicas: replicas}.encode())
	return nil
}

// newBody is the new ReplicaSet. The template is passed on as the bytes that it
// came in, also those fields that are newer than this controller.
func newBody(d *deployment, sets replicaSets) appsv1.ReplicaSet {
	spec, hash := d.Spec(), d.hash()
	template := spec.Template()
	template = template.WithMetadata(template.Metadata().WithLabel(hashLabel, hash))
	annotations, _ := revised(d, view.StringMap{}, nextRevision(sets.old))
	m := metav1.ObjectMeta(nil).
		WithName(replicaSetName(d.meta.Name(), hash)).
		WithNamespace(d.meta.Namespace()).
		WithLabels(template.Metadata().Labels()).
		WithAnnotations(annotations).
		WithOwnerReferences(meta.NewControllerRef(kindDeployment.APIVersion, kindDeployment.Kind, d.meta))
	return appsv1.ReplicaSet(nil).
		WithMetadata(d.withSize(m)).
		WithSpec(appsv1.ReplicaSetSpec(nil).
			WithMinReadySeconds(spec.MinReadySeconds()).
			WithSelector(spec.Selector().WithMatchLabel(hashLabel, hash)).
			WithTemplate(template))
}

// accountCreation tells of the ReplicaSet that the call before this one asked
// for. With an error the reconcile is over; it also is where done says so.
func accountCreation(r *sdk.Reconcile, d *deployment, sets replicaSets, asked step) (done bool, err error) {
	results := r.Results()
	if len(results) == 0 {
		return false, nil
	}
	result := &results[0]
	switch err := result.Err(); {
	case result.HasCause(corev1.NamespaceTerminatingCause):
		return true, nil // all creates will fail there: neither retrying nor telling is of use
	case err != nil:
		return true, creationFailed(r, d, asked, err)
	case result.Reason == sdk.AlreadyExists:
		return false, collision(r, d, sets, asked, result.Message)
	}
	if asked.replicas > 0 {
		r.Event(sdk.Normal, reasonScaling, scalingMessage("up", asked.name, 0, asked.replicas))
	}
	if _, limited := d.deadline(); limited && sets.updated != nil && sets.updated.name == asked.name {
		d.noteProgress(metav1.ConditionTrue, reasonNewReplicaSet, "Created new replica set "+quote(asked.name))
	}
	return false, nil
}

// creationFailed tells of a failure in the status and by an Event.
func creationFailed(r *sdk.Reconcile, d *deployment, asked step, err error) error {
	message := "Failed to create new replica set " + quote(asked.name) + ": " + err.Error()
	if _, limited := d.deadline(); limited {
		d.noteProgress(metav1.ConditionFalse, reasonCreateError, message)
		d.writeStatus(r, d.status)
	}
	r.Batch(sdk.Sequential).Always().Event(sdk.Warning, reasonCreateError, message)
	return err
}

// collision counts a collision where a ReplicaSet that is there already is not
// the one that was to be created: the next attempt has another name. The error
// has the key tried again.
func collision(r *sdk.Reconcile, d *deployment, sets replicaSets, asked step, message string) error {
	if sets.updated != nil || asked.name != replicaSetName(d.meta.Name(), d.hash()) {
		return nil // it was, or it is no longer needed
	}
	query := sdk.Query{Kind: kindReplicaSet, Namespace: d.meta.Namespace(), Name: asked.name}
	if _, err := r.Get(query); err != nil {
		return err
	}
	d.status = d.status.WithCollisionCount(d.status.CollisionCount() + 1)
	d.writeStatus(r, d.status)
	r.Info("a hash collision; the collision count resolves it", "replicaSet", asked.name, "count", d.status.CollisionCount())
	return errors.New(message)
}
