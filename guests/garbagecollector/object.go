package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// object is an object of whatever kind: its metadata.
type object struct {
	metav1.ObjectMeta
	kind *sdk.Kind
}

func newObject(o *sdk.Object) object {
	return object{metav1.PartialObjectMetadata(o.Body).Metadata(), o.Kind}
}

// keyObject is the object that the reconcile is about.
func keyObject(r *sdk.Reconcile) object {
	return object{metav1.PartialObjectMetadata(r.Object()).Metadata(), r.Kind()}
}

func (o object) hasFinalizer(name string) bool {
	for f := range o.Finalizers() {
		if f == name {
			return true
		}
	}
	return false
}

// waitsForDependents reports whether the object is being deleted in the
// foreground: it stays until those dependents are gone that block it.
func (o object) waitsForDependents() bool {
	return o.HasDeletionTimestamp() && o.hasFinalizer(finalizerForeground)
}

// owners is the object's references to its owners.
func (o object) owners() []metav1.OwnerReference {
	out := make([]metav1.OwnerReference, 0, o.OwnerReferencesLen())
	for ref := range o.OwnerReferences() {
		out = append(out, ref)
	}
	return out
}

// blocks reports whether the object holds back the deletion of the owner with
// that UID.
func (o object) blocks(uid string) bool {
	for ref := range o.OwnerReferences() {
		if ref.UID() == uid && ref.BlockOwnerDeletion() {
			return true
		}
	}
	return false
}

// String names the object in messages.
func (o object) String() string {
	name := o.kind.Kind + " " + o.Name()
	if ns := o.Namespace(); ns != "" {
		name = o.kind.Kind + " " + ns + "/" + o.Name()
	}
	return name
}

// readLive asks the API server for an object. It is not there if another one has
// taken its name.
func readLive(r *sdk.Reconcile, o object) (live object, found bool, err error) {
	got, err := r.Get(sdk.Query{Kind: o.kind, Namespace: o.Namespace(), Name: o.Name(), MetadataOnly: true, Live: true})
	switch {
	case errors.Is(err, sdk.ErrNotFound):
		return object{}, false, nil
	case err != nil:
		return object{}, false, err
	}
	live = object{metav1.PartialObjectMetadata(got.Body).Metadata(), o.kind}
	return live, live.UID() == o.UID(), nil
}

// dependents is the objects of any kind that name the object as an owner. With
// watch set the key runs again when there are more or fewer, or one of them
// changes its references.
func dependents(r *sdk.Reconcile, o object, watch bool) ([]object, error) {
	q := sdk.Query{Kind: kindAny, AllNamespaces: true, OwnerUID: o.UID(), MetadataOnly: true, Quiet: !watch}
	if watch {
		q.Wakes = sdk.Fields(metadataFields.OwnerReferences())
	}
	found, err := r.List(q)
	if err != nil {
		return nil, err
	}
	out := make([]object, len(found))
	for i := range found {
		out[i] = newObject(&found[i])
	}
	return out, nil
}
