// Package meta holds what every controller does with objects beside reading
// them: label selectors, owners, claiming, conditions, and the states of Pods.
// It works on views alone, and decides as Kubernetes' own controllers do:
// where upstream has a function for it, tests compare the two.
package meta

// Error says why a value of the API cannot be used. Errors compare with ==.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }
