package sdktest

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/loopdock/loopdock/abi"
)

// matcher is the conjunction of a list's conditions.
func matcher(c *abi.Controller, q *abi.Query) (func(runtime.Object) bool, error) {
	text, err := labels.Parse(q.Selector)
	if err != nil {
		return nil, err
	}
	selector := labels.Everything()
	if len(q.LabelSelector) > 0 {
		var s metav1.LabelSelector
		if err := s.Unmarshal(q.LabelSelector); err != nil {
			return nil, err
		}
		if selector, err = metav1.LabelSelectorAsSelector(&s); err != nil {
			return nil, err
		}
	}
	var path string
	if q.Index != "" {
		if path, err = indexPath(c, q); err != nil {
			return nil, err
		}
	}
	return func(o runtime.Object) bool {
		m := accessor(o)
		set := labels.Set(m.GetLabels())
		return (q.AllNamespaces || m.GetNamespace() == q.Namespace) &&
			text.Matches(set) && selector.Matches(set) &&
			(q.ControllerUID == "" || controllerUID(m) == q.ControllerUID) &&
			(!q.Orphans || controllerUID(m) == "") &&
			(q.OwnerUID == "" || hasOwner(m, q.OwnerUID)) &&
			(path == "" || valueAt(o, path) == q.IndexValue)
	}, nil
}

func controllerUID(m metav1.Object) string {
	ref := metav1.GetControllerOf(m)
	if ref == nil {
		return ""
	}
	return string(ref.UID)
}

func hasOwner(m metav1.Object, uid string) bool {
	for _, ref := range m.GetOwnerReferences() {
		if string(ref.UID) == uid {
			return true
		}
	}
	return false
}

func indexPath(c *abi.Controller, q *abi.Query) (string, error) {
	for i := range c.Reads {
		read := &c.Reads[i]
		if read.Kind == nil || *read.Kind != *q.Kind {
			continue
		}
		for _, index := range read.Indexes {
			if index.Name == q.Index && index.Path != nil {
				return index.Path.Name, nil
			}
		}
	}
	return "", fmt.Errorf("the manifest declares no index %q of %s", q.Index, q.Kind.Kind)
}

// valueAt is the string at a path of JSON names.
func valueAt(o runtime.Object, path string) string {
	tree, err := fields(o)
	if err != nil {
		return ""
	}
	v, _, _ := unstructured.NestedFieldNoCopy(tree, strings.Split(path, ".")...)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}
