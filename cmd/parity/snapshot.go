package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// A snapshot is what a scenario has left on one side.
type snapshot struct {
	objects []map[string]any
	events  []map[string]any
	rootCA  string
	scope   string // the scenario's first namespace
}

// unlisted are kinds that are not compared: Events have a comparison of their own.
var unlisted = []string{"events"}

// snapshot lists all objects of the scenario's namespaces, and those of the
// cluster's that it named.
func (st *stage) snapshot(ctx context.Context) (*snapshot, error) {
	kinds, err := st.namespaced()
	if err != nil {
		return nil, err
	}
	out := &snapshot{rootCA: st.rootCA, scope: st.name}
	for _, ns := range st.spaces {
		if err := out.add(ctx, st, object{"namespaces", ns}); err != nil {
			return nil, err
		}
		for _, gvr := range kinds {
			list, err := st.dynamic.Resource(gvr).Namespace(ns).List(ctx, metav1.ListOptions{})
			if apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
				continue // a custom kind that has just gone
			}
			if err != nil {
				return nil, fmt.Errorf("cannot list %s: %w", gvr, err)
			}
			for i := range list.Items {
				out.objects = append(out.objects, list.Items[i].Object)
			}
		}
	}
	for _, o := range st.touched {
		if err := out.add(ctx, st, o); err != nil {
			return nil, err
		}
	}
	for _, ns := range append([]string{metav1.NamespaceDefault}, st.spaces...) {
		list, err := st.dynamic.Resource(resources["events"]).Namespace(ns).List(ctx, metav1.ListOptions{})
		if err != nil {
			return nil, err
		}
		for i := range list.Items {
			about := field(list.Items[i].Object, "involvedObject.name")
			if ns != metav1.NamespaceDefault || strings.HasPrefix(about, st.name+scopeMark) || about == st.name {
				out.events = append(out.events, list.Items[i].Object)
			}
		}
	}
	return out, nil
}

// add adds an object of the cluster's, if it exists.
func (s *snapshot) add(ctx context.Context, st *stage, o object) error {
	got, err := st.dynamic.Resource(lookUp(o.resource)).Get(ctx, o.name, metav1.GetOptions{})
	if err != nil {
		return ignoreNotFound(err)
	}
	s.objects = append(s.objects, got.Object)
	return nil
}

// namespaced gives every kind that can be listed by namespace.
func (st *stage) namespaced() ([]schema.GroupVersionResource, error) {
	lists, err := st.discovery.ServerPreferredNamespacedResources()
	if err != nil && !discovery.IsGroupDiscoveryFailedError(err) {
		return nil, fmt.Errorf("cannot tell which kinds there are: %w", err)
	}
	var out []schema.GroupVersionResource
	for _, l := range lists {
		gv, err := schema.ParseGroupVersion(l.GroupVersion)
		if err != nil {
			return nil, err
		}
		for i := range l.APIResources {
			r := &l.APIResources[i]
			if slices.Contains(r.Verbs, "list") && !slices.Contains(unlisted, r.Name) {
				out = append(out, gv.WithResource(r.Name))
			}
		}
	}
	return out, nil
}
