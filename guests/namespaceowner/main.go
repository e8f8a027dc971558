// Command namespaceowner labels each namespace that names no owner, so that
//
//	kubectl get namespaces -l owner=unassigned
//
// lists those that nobody has taken. It is a whole controller, and the smallest.
package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

var version = "dev" // set by -ldflags "-X main.version=v1"

var namespaces = &sdk.Kind{APIVersion: "v1", Kind: "Namespace"}

func init() {
	sdk.Register(sdk.Module{Name: "namespaceowner", Version: version, Controllers: []sdk.Controller{{
		Name: "namespaceowner",
		Primary: &sdk.Primary{
			Kind:   namespaces,
			Fields: sdk.Fields(corev1.NamespaceFields.Metadata()),
			Wakes:  sdk.Fields(corev1.NamespaceFields.Metadata().Labels().Key("owner")),
		},
		Access:    []sdk.Access{{Kind: namespaces, Verbs: []string{"patch"}}},
		Reconcile: reconcile,
	}}})
}

func main() {}

func reconcile(r *sdk.Reconcile) error {
	if !r.Exists() {
		return nil
	}
	ns := corev1.Namespace(r.Object()).Metadata()
	if ns.HasDeletionTimestamp() || ns.Labels().Has("owner") {
		return nil
	}
	r.Patch(namespaces, "", ns.Name(), sdk.MergePatch, []byte(`{"metadata":{"labels":{"owner":"unassigned"}}}`)).IfUID(ns.UID())
	r.Event(sdk.Normal, "OwnerUnassigned", "The namespace named no owner")
	return nil
}
