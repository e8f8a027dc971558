package sdktest

import (
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
)

// protobuf is what the kinds of k8s.io/api can do.
type protobuf interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// encode gives an object as the host would. managedFields don't reach guests,
// and kind and apiVersion are no part of a protobuf body.
func encode(o runtime.Object, want abi.Encoding) (abi.Object, error) {
	o = o.DeepCopyObject()
	accessor(o).SetManagedFields(nil)
	p, isProto := o.(protobuf)
	if want == abi.EncodingJSON || !isProto {
		body, err := json.Marshal(o)
		return abi.Object{Body: body, Encoding: abi.EncodingJSON}, err
	}
	body, err := p.Marshal()
	return abi.Object{Body: body, Encoding: abi.EncodingProtobuf}, err
}

// encodeMetadata gives an object's metadata alone, as protobuf for any kind.
func encodeMetadata(o runtime.Object) (abi.Object, error) {
	m := &metav1.PartialObjectMetadata{}
	b, err := json.Marshal(o)
	if err != nil {
		return abi.Object{}, err
	}
	if err := json.Unmarshal(b, m); err != nil {
		return abi.Object{}, err
	}
	m.ManagedFields = nil
	body, err := m.Marshal()
	return abi.Object{Body: body, Encoding: abi.EncodingProtobuf}, err
}

// decode reads the body of an action.
func decode(gvk schema.GroupVersionKind, body []byte, e abi.Encoding) (runtime.Object, error) {
	o := newObject(gvk)
	p, isProto := o.(protobuf)
	if e == abi.EncodingJSON || !isProto {
		if err := json.Unmarshal(body, o); err != nil {
			return nil, fmt.Errorf("cannot decode the body of a %s as JSON: %w", gvk.Kind, err)
		}
	} else if err := p.Unmarshal(body); err != nil {
		return nil, fmt.Errorf("cannot decode the body of a %s as protobuf: %w", gvk.Kind, err)
	}
	o.GetObjectKind().SetGroupVersionKind(gvk)
	return o, nil
}

// fields gives an object as a tree of JSON values, a copy.
func fields(o runtime.Object) (map[string]any, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	return out, json.Unmarshal(b, &out)
}

// fromFields makes an object of a tree of JSON values.
func fromFields(gvk schema.GroupVersionKind, tree map[string]any) (runtime.Object, error) {
	b, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	return decode(gvk, b, abi.EncodingJSON)
}

// accessor gives an object's metadata; every kind here has some.
func accessor(o runtime.Object) metav1.Object {
	if m, ok := o.(metav1.Object); ok {
		return m
	}
	return &unstructured.Unstructured{Object: map[string]any{}}
}

func gvkOf(k *abi.Kind) schema.GroupVersionKind {
	if k == nil {
		return schema.GroupVersionKind{}
	}
	return schema.FromAPIVersionAndKind(k.APIVersion, k.Kind)
}
