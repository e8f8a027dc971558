package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// What is published, and how it is described to those who come across it.
const (
	configMapName = "kube-root-ca.crt"
	certificates  = "ca.crt"

	descriptionKey = "kubernetes.io/description"
	description    = "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. " +
		"No other usage is guaranteed across distributions of Kubernetes clusters."
)

var publisherSchema = []byte(`{
  "type": "object",
  "required": ["rootCA"],
  "properties": {
    "rootCA": {"type": "string", "description": "the certificates, as PEM"}
  }
}`)

var errNoRootCA = errors.New("cannot publish the root certificates: the configuration has no rootCA (set it to their PEM text)")

// publish keeps a Namespace's ConfigMap with the root certificates as it should
// be, whatever others do to it.
func publish(r *sdk.Reconcile) error {
	if r.Continues() {
		return created(r)
	}
	rootCA, ok := r.Setting("rootCA")
	if !ok || rootCA == "" {
		return sdk.Terminal(errNoRootCA)
	}
	if !r.Exists() {
		return nil
	}
	ns := corev1.Namespace(r.Object())
	name := ns.Metadata().Name()
	is, err := sdk.Get[corev1.ConfigMap](r, sdk.Query{
		Kind: kindConfigMap, Namespace: name, Name: configMapName, Wakes: published,
	})
	switch {
	case errors.Is(err, sdk.ErrNotFound) && ns.Status().Phase() == corev1.NamespaceTerminating:
		return nil
	case errors.Is(err, sdk.ErrNotFound):
		m := metav1.ObjectMeta(nil).WithName(configMapName).WithAnnotation(descriptionKey, description)
		r.Create(kindConfigMap, name, configMapName, holding(corev1.ConfigMap(nil).WithMetadata(m), rootCA)).Tolerate(sdk.NotFound)
		r.Continue(nil)
		return nil
	case err != nil:
		return err
	case good(is, rootCA):
		return nil
	}
	m := is.Metadata().WithAnnotation(descriptionKey, description)
	r.Update(kindConfigMap, name, configMapName, holding(is.WithMetadata(m), rootCA))
	return nil
}

// published is what of the ConfigMap matters.
var published = sdk.Fields(
	corev1.ConfigMapFields.Data(),
	corev1.ConfigMapFields.Metadata().Annotations().Key(descriptionKey),
)

// good reports whether a ConfigMap holds the certificates, nothing besides, and a
// description, be it another one.
func good(is corev1.ConfigMap, rootCA string) bool {
	data := is.Data()
	held, _ := data.Get(certificates)
	described, _ := is.Metadata().Annotations().Get(descriptionKey)
	return data.Len() == 1 && held == rootCA && described != ""
}

// holding is a ConfigMap that holds the certificates and no other data.
func holding(cm corev1.ConfigMap, rootCA string) corev1.ConfigMap {
	return cm.WithData(corev1.ConfigMap(nil).WithDataEntry(certificates, rootCA).Data())
}
