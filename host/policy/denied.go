package policy

import (
	"strings"

	"github.com/loopdock/loopdock/abi"
)

// DeniedError says that a controller was refused something.
type DeniedError struct {
	Controller  string
	Verb        string   // the API's
	Kind        abi.Kind // of a read by resource: "resource.group" without an API version
	Subresource string
	Namespace   string    // empty for cluster-scoped objects and for all namespaces
	Live        bool      // the read was to go past the cache
	Read        bool      // it was a read
	External    *External // set where it was a provider's operation
}

// Error implements error.
func (e *DeniedError) Error() string {
	b := "cannot " + e.Verb + " "
	if e.External != nil {
		b += e.External.Provider + " " + strings.Join(e.External.Operations, ", ")
	} else {
		b += strings.TrimSpace(e.Kind.APIVersion + " " + e.Kind.Kind)
	}
	if e.Subresource != "" {
		b += "/" + e.Subresource
	}
	if e.Live {
		b += " live"
	}
	if e.Namespace != "" {
		b += " in namespace " + e.Namespace
	}
	b += ": not granted"
	if e.Controller != "" {
		b += " to controller " + e.Controller
	}
	return b
}

// Hint is the line of YAML that would have allowed it: of the grant's rules or
// externals, or of the manifest's reads.
func (e *DeniedError) Hint() string {
	kind := e.Kind
	if e.Read && kind.APIVersion == "" { // a resource of any kind
		kind = abi.Kind{APIVersion: Any, Kind: Any}
	}
	switch {
	case e.External != nil:
		return e.External.String()
	case e.Live:
		return "- {apiVersion: " + scalar(kind.APIVersion) + ", kind: " + scalar(kind.Kind) + ", live: true}"
	}
	r := Rule{APIVersion: kind.APIVersion, Kind: kind.Kind, Subresource: e.Subresource, Verbs: []string{e.Verb}}
	if e.Read {
		r.Verbs = readVerbs
	}
	if e.Namespace != "" {
		r.Namespaces = []string{e.Namespace}
	}
	return r.String()
}
