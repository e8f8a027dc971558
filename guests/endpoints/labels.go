package main

import (
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// without is a map without some of its keys.
func without(m view.StringMap, keys ...string) view.StringMap {
	for _, key := range keys {
		if m.Has(key) {
			m = m.Without(key)
		}
	}
	return m
}

// sameLabels compares maps of labels or annotations.
func sameLabels(a, b view.StringMap) bool {
	if a.Len() != b.Len() {
		return false
	}
	for key, value := range a.All() {
		if !hasLabel(b, key, value) {
			return false
		}
	}
	return true
}

func hasLabel(m view.StringMap, key, value string) bool {
	has, ok := m.Lookup(key)
	return ok && string(has) == value
}

// annotated sets an annotation, or takes it away if it would be empty.
func annotated(m metav1.ObjectMeta, key, value string) metav1.ObjectMeta {
	if value == "" {
		return m.WithoutAnnotation(key)
	}
	return m.WithAnnotation(key, value)
}
