// Package resource holds the view of quantities, of memory and CPU for example.
package resource

// FromString is a quantity as it is spelled in manifests: 500m, 2Gi. It is not
// checked; the API server does.
func FromString(v string) Quantity { return Quantity(nil).WithString(v) }
