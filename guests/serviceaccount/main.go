// Command serviceaccount is two controllers of what each Namespace has from the
// start, with the behaviour of Kubernetes 1.37: the ServiceAccount "default", and
// the ConfigMap with the certificates by which Pods know the API server.
package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// version is set where the module is built: -ldflags "-X main.version=v1".
var version = "dev"

var (
	kindNamespace      = &sdk.Kind{APIVersion: "v1", Kind: "Namespace"}
	kindServiceAccount = &sdk.Kind{APIVersion: "v1", Kind: "ServiceAccount"}
	kindConfigMap      = &sdk.Kind{APIVersion: "v1", Kind: "ConfigMap"}
)

// namespaces are the keys of both controllers. Of a Namespace only its phase counts.
var namespaces = &sdk.Primary{
	Kind:   kindNamespace,
	Fields: sdk.Fields(corev1.NamespaceFields.Metadata(), corev1.NamespaceFields.Status().Phase()),
	Wakes:  sdk.Fields(corev1.NamespaceFields.Status().Phase()),
}

func init() {
	sdk.Register(sdk.Module{Name: "serviceaccount", Version: version, Controllers: []sdk.Controller{
		{
			Name:      "serviceaccount",
			Primary:   namespaces,
			Reads:     []sdk.Read{{Kind: kindServiceAccount, MetadataOnly: true}},
			Access:    []sdk.Access{{Kind: kindServiceAccount, Verbs: []string{"create"}}},
			Reconcile: keepAccount,
		},
		{
			Name:         "root-ca-certificate-publisher",
			Primary:      namespaces,
			Reads:        []sdk.Read{{Kind: kindConfigMap}},
			Access:       []sdk.Access{{Kind: kindConfigMap, Verbs: []string{"create", "update"}}},
			ConfigSchema: publisherSchema,
			Reconcile:    publish,
		},
	}})
}

func main() {}
