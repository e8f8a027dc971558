package sdk

import "github.com/loopdock/loopdock/sdk-go/view"

// Fields gives the paths of fields as manifests and queries name them:
//
//	Wakes: sdk.Fields(corev1.PodFields.Spec().NodeName(), corev1.PodFields.Status().Phase())
func Fields(paths ...view.Pather) []FieldPath {
	out := make([]FieldPath, len(paths))
	for i, p := range paths {
		out[i] = fieldPath(p.Path())
	}
	return out
}

// Field is the path of one field.
func Field(p view.Pather) *FieldPath {
	f := fieldPath(p.Path())
	return &f
}

func fieldPath(p view.Path) FieldPath {
	numbers := make([]uint32, len(p.Numbers))
	for i, n := range p.Numbers {
		numbers[i] = uint32(n) //nolint:gosec // field numbers are positive
	}
	return FieldPath{Numbers: numbers, Name: p.Name, MapKey: p.MapKey}
}

// JSONFields names fields of a custom resource, as "spec.nodeName".
func JSONFields(names ...string) []FieldPath {
	out := make([]FieldPath, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	return out
}
