// Command watcher makes a ConfigMap for each object of a kind, of the object's
// name. The kind and its own name are set where it is built.
package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
)

var name, apiVersion, kind string

var configMap = &sdk.Kind{APIVersion: "v1", Kind: "ConfigMap"}

func init() {
	sdk.Register(sdk.Module{Name: name, Version: "v1", Controllers: []sdk.Controller{{
		Name:      name,
		Primary:   &sdk.Primary{Kind: &sdk.Kind{APIVersion: apiVersion, Kind: kind}},
		Access:    []sdk.Access{{Kind: configMap, Verbs: []string{"patch"}}},
		Reconcile: reconcile,
	}}})
}

func main() {}

func reconcile(r *sdk.Reconcile) error {
	if !r.Exists() {
		return nil
	}
	k := r.Key()
	body := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"` + k.Name + `"},"data":{"by":"` + name + `"}}`
	r.Batch(sdk.Sequential).Apply(configMap, k.Namespace, k.Name, []byte(body))
	return nil
}
