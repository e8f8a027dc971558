package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// accountName is the ServiceAccount that Pods have where they name none.
const accountName = "default"

// keepAccount creates a Namespace's ServiceAccount where there is none. One that
// was deleted comes back, unless the Namespace goes as well.
func keepAccount(r *sdk.Reconcile) error {
	if r.Continues() {
		return created(r)
	}
	if !r.Exists() {
		return nil
	}
	ns := corev1.Namespace(r.Object())
	if ns.Status().Phase() != corev1.NamespaceActive {
		return nil
	}
	name := ns.Metadata().Name()
	_, err := sdk.Get[metav1.PartialObjectMetadata](r, sdk.Query{
		Kind: kindServiceAccount, Namespace: name, Name: accountName, MetadataOnly: true, Wakes: existence,
	})
	if !errors.Is(err, sdk.ErrNotFound) {
		return err
	}
	account := corev1.ServiceAccount(nil).WithMetadata(metav1.ObjectMeta(nil).WithNamespace(name).WithName(accountName))
	r.Create(kindServiceAccount, name, accountName, account).Tolerate(sdk.AlreadyExists)
	r.Continue(nil)
	return nil
}

// existence is all that matters of a ServiceAccount: that it comes and goes.
var existence = sdk.Fields(corev1.ServiceAccountFields.Metadata().UID())

// created looks at what became of a creation. In a Namespace that is being
// terminated all of them fail, and that is as it should be.
func created(r *sdk.Reconcile) error {
	results := r.Results()
	for i := range results {
		if err := results[i].Err(); err != nil && !results[i].HasCause(corev1.NamespaceTerminatingCause) {
			return err
		}
	}
	return nil
}
