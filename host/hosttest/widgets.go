package hosttest

import (
	"context"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// Widgets are custom resources of the kind Widget in a group of a test's own.
type Widgets struct {
	group  string
	client dynamic.Interface
}

var definitions = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// Define defines Widgets, with a single version v1, until the test ends or Remove.
func Define(tb testing.TB, config *rest.Config, group string) *Widgets {
	tb.Helper()
	w := &Widgets{group: group, client: dynamic.NewForConfigOrDie(config)}
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "widgets." + group},
		"spec": map[string]any{
			"group": group, "scope": "Namespaced",
			"names": map[string]any{"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
			}},
		},
	}}
	if _, err := w.client.Resource(definitions).Create(tb.Context(), crd, metav1.CreateOptions{}); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { // it may be gone already
		_ = w.client.Resource(definitions).Delete(context.WithoutCancel(tb.Context()), "widgets."+group, metav1.DeleteOptions{})
	})
	return w
}

// Create makes a Widget, as soon as the API server serves the kind.
func (w *Widgets) Create(tb testing.TB, namespace, name string, owners []metav1.OwnerReference) *unstructured.Unstructured {
	tb.Helper()
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": w.group + "/v1", "kind": "Widget"}}
	o.SetName(name)
	o.SetOwnerReferences(owners)
	var made *unstructured.Unstructured
	Eventually(tb, "a Widget is created", func() bool {
		var err error
		made, err = w.Resource(namespace).Create(tb.Context(), o, metav1.CreateOptions{})
		return err == nil
	})
	return made
}

// Resource is the Widgets of a namespace.
func (w *Widgets) Resource(namespace string) dynamic.ResourceInterface {
	return w.client.Resource(schema.GroupVersionResource{Group: w.group, Version: "v1", Resource: "widgets"}).Namespace(namespace)
}

// Remove removes the kind, and with it all Widgets.
func (w *Widgets) Remove(tb testing.TB) {
	tb.Helper()
	if err := w.client.Resource(definitions).Delete(tb.Context(), "widgets."+w.group, metav1.DeleteOptions{}); err != nil {
		tb.Fatal(err)
	}
}
