package main

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

// An owner is whom a dependent names: an object as RESOURCE/NAME, or as
// RESOURCE/NS/NAME; with another UID than its own where one is given.
type owner struct {
	of         string
	controller bool
	block      bool
	uid        string
}

func ownedBy(of string) owner             { return owner{of: of} }
func blocking(of string) owner            { return owner{of: of, block: true} }
func controlledBy(of string) owner        { return owner{of: of, controller: true, block: true} }
func strangerCalled(of, uid string) owner { return owner{of: of, uid: uid} }

// own creates an object that names owners.
func own(doc string, owners ...owner) step {
	return step{"create a dependent", func(ctx context.Context, st *stage) error {
		refs, err := st.references(ctx, owners)
		if err != nil {
			return err
		}
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(st.expand(doc)), &o.Object); err != nil {
			return err
		}
		o.SetOwnerReferences(refs)
		full, err := yaml.Marshal(o.Object)
		if err != nil {
			return err
		}
		_, err = st.create(ctx, string(full))
		return err
	}}
}

// disown gives an object other owners.
func disown(resource, name string, owners ...owner) step {
	return step{"give " + resource + " " + name + " other owners", func(ctx context.Context, st *stage) error {
		refs, err := st.references(ctx, owners)
		if err != nil {
			return err
		}
		body, err := yaml.Marshal(map[string]any{"metadata": map[string]any{"ownerReferences": refs}})
		if err != nil {
			return err
		}
		return patch(resource, name, string(body)).do(ctx, st)
	}}
}

// references looks the owners up. One that has a UID of its own need not exist;
// it is then given with its kind: RESOURCE/NAME of a ConfigMap.
func (st *stage) references(ctx context.Context, owners []owner) ([]metav1.OwnerReference, error) {
	var out []metav1.OwnerReference
	for _, w := range owners {
		resource, name, _ := strings.Cut(w.of, "/")
		ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: name, UID: types.UID(w.uid)}
		if w.uid == "" {
			client, name := st.named(resource, name)
			o, err := client.Get(ctx, name, metav1.GetOptions{})
			if err != nil {
				return nil, fmt.Errorf("cannot find the owner %s: %w", w.of, err)
			}
			ref.APIVersion, ref.Kind, ref.Name, ref.UID = o.GetAPIVersion(), o.GetKind(), o.GetName(), o.GetUID()
		}
		if w.controller {
			ref.Controller = new(true)
		}
		if w.block {
			ref.BlockOwnerDeletion = new(true)
		}
		out = append(out, ref)
	}
	return out, nil
}
