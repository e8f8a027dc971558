package writer

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
)

// Owner is the object whose key the actions are for. All is empty for keys that
// are not objects.
type Owner struct {
	GVK             schema.GroupVersionKind
	Namespace, Name string
	UID             string
}

// Report is what became of the actions of one answer.
type Report struct {
	// Results has one for each action, in order over all batches.
	Results []abi.Result
	// Writes are what the caches must show before the key runs again.
	Writes []Write
	// Failed: an action failed whose failure was not tolerated.
	Failed bool
	// Errors joins an *ActionError for each of those.
	Errors error
	// Unresolved are the writes of which it is not known whether they were
	// performed. Resolve must clear them up before the key runs again.
	Unresolved []Unknown
}

// Write is a version of an object that a cache must show, or show more than.
type Write struct {
	GVK             schema.GroupVersionKind
	Namespace, Name string
	UID             string // empty if not known
	// ResourceVersion is the object's after the write. Empty if not known.
	ResourceVersion string
	// Deleted: the object was deleted. The cache must show that this UID is gone
	// or terminating.
	Deleted bool
	// Gone, besides Deleted: this was the write that let a terminating object go.
	// That it is terminating is not enough.
	Gone bool
}

// Unknown is a write of which it is not known whether it was performed.
type Unknown struct {
	Verb            abi.Verb
	GVK             schema.GroupVersionKind
	Namespace, Name string
	Subresource     string
	UID             string // the precondition
	ResourceVersion string // before the write, if known
	Owner           Owner
	// Drawn: the name was drawn here, so nobody else has created it.
	Drawn bool
	// Cause is how the answer was lost.
	Cause error
}

// ActionError says which action failed, and why. Errors of the API server, of
// policy and of the fence are found in it by errors.As.
type ActionError struct {
	Index  int // of the action over all batches, from 1
	Verb   string
	Object string
	Err    error
}

// Error implements error.
func (e *ActionError) Error() string {
	return "cannot " + e.Verb + " " + e.Object + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *ActionError) Unwrap() error { return e.Err }

// Hint is the cause's, if it has one.
func (e *ActionError) Hint() string {
	if h, ok := e.Err.(interface{ Hint() string }); ok { // the cause itself is meant
		return h.Hint()
	}
	return ""
}

// verbName is an action's verb in errors and metrics.
func verbName(v abi.Verb) string {
	names := [...]string{"do nothing to", "create", "update", "patch", "apply", "delete", "deletecollection", "event", "external"}
	if int(v) < len(names) {
		return names[v]
	}
	return "unknown"
}

// objectName names an action's object in errors: "apps/v1 Deployment/status ns/name".
func objectName(a *abi.Action, name string) string {
	if a.Verb == abi.VerbExternal {
		if a.External == nil {
			return "provider"
		}
		return a.External.Provider + " " + a.External.Operation
	}
	var b strings.Builder
	if a.Kind != nil {
		b.WriteString(a.Kind.APIVersion + " " + a.Kind.Kind)
	}
	if a.Subresource != "" {
		b.WriteString("/" + a.Subresource)
	}
	name = cmp.Or(a.Name, name)
	if a.Namespace != "" {
		name = a.Namespace + "/" + name
	}
	if name != "" {
		b.WriteString(" " + name)
	}
	return b.String()
}
