// Package json is for objects that travel as JSON: custom resources, through
// the author's own struct.
//
//	type Widget struct {
//		Metadata struct{ Name, Namespace, UID string }
//		Spec     struct{ Size int }
//	}
//
//	widget, err := json.Object[Widget](r)
//
// # Notes
//
//   - What the struct does not name is lost when it is written back. Change
//     objects by Apply or a patch, and their status by UpdateStatus, or give
//     the struct all fields.
//   - It imports encoding/json, which adds a good 1 MB to a guest.
package json

import (
	"encoding/json"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
)

// Object decodes the key's object. Its kind must travel as JSON: all custom
// resources do, others where Primary says so.
func Object[T any](r *sdk.Reconcile) (T, error) { return decode[T](r.Object()) }

// Get reads one object.
func Get[T any](r *sdk.Reconcile, q sdk.Query) (T, error) {
	q.Encoding = abi.EncodingJSON
	o, err := r.Get(q)
	if err != nil {
		var none T
		return none, err
	}
	return decode[T](o.Body)
}

// List reads objects.
func List[T any](r *sdk.Reconcile, q sdk.Query) ([]T, error) {
	q.Encoding = abi.EncodingJSON
	objects, err := r.List(q)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(objects))
	for i := range objects {
		if out[i], err = decode[T](objects[i].Body); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Config decodes the operator's configuration into v, which holds the defaults.
func Config(r *sdk.Reconcile, v any) error {
	if len(r.Config()) == 0 {
		return nil
	}
	return json.Unmarshal(r.Config(), v)
}

func decode[T any](b []byte) (T, error) {
	var out T
	if len(b) == 0 {
		return out, nil
	}
	err := json.Unmarshal(b, &out)
	return out, err
}

// Create is Reconcile.Create with a body made of v.
func Create(r *sdk.Reconcile, kind *sdk.Kind, namespace, name string, v any) (*sdk.Action, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return r.Create(kind, namespace, name, b).JSON(), nil
}

// Update is Reconcile.Update with a body made of v.
func Update(r *sdk.Reconcile, kind *sdk.Kind, namespace, name string, v any) (*sdk.Action, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return r.Update(kind, namespace, name, b).JSON(), nil
}

// UpdateStatus is Reconcile.UpdateStatus with a body made of v.
func UpdateStatus(r *sdk.Reconcile, kind *sdk.Kind, namespace, name string, v any) (*sdk.Action, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return r.UpdateStatus(kind, namespace, name, b).JSON(), nil
}

// Apply is Reconcile.Apply with a body made of v.
func Apply(r *sdk.Reconcile, kind *sdk.Kind, namespace, name string, v any) (*sdk.Action, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return r.Apply(kind, namespace, name, b), nil
}

// Patch is Reconcile.Patch with a merge patch made of v.
func Patch(r *sdk.Reconcile, kind *sdk.Kind, namespace, name string, v any) (*sdk.Action, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return r.Patch(kind, namespace, name, sdk.MergePatch, b), nil
}
