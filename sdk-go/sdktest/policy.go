package sdktest

import (
	"slices"

	"github.com/loopdock/loopdock/abi"
)

// verbs are the API verbs that actions need.
var verbs = map[abi.Verb]string{
	abi.VerbCreate:           "create",
	abi.VerbUpdate:           "update",
	abi.VerbPatch:            "patch",
	abi.VerbApply:            "patch",
	abi.VerbDelete:           "delete",
	abi.VerbDeleteCollection: "deletecollection",
}

// denyRead says what the manifest lacks for a query, empty if nothing.
func (h *host) denyRead(q *abi.Query) string {
	if q.Kind == nil {
		return ""
	}
	c := h.controller
	if c.Primary != nil && *c.Primary.Kind == *q.Kind && !q.Live {
		return ""
	}
	if c.Virtual != nil && !q.Live && slices.ContainsFunc(c.Virtual.Mappings, func(m abi.KeyMapping) bool { return *m.Kind == *q.Kind }) {
		return ""
	}
	for i := range c.Reads {
		read := &c.Reads[i]
		if (*read.Kind == *q.Kind || read.Kind.Kind == "*") && (read.Live || !q.Live) && (q.MetadataOnly || !read.MetadataOnly) {
			return ""
		}
	}
	how := ""
	if q.Live {
		how = " live"
	}
	return "the manifest does not declare that " + q.Kind.Kind + " is read" + how
}

// denyAction does the same for an action.
func (h *host) denyAction(a *abi.Action) string {
	switch a.Verb {
	case abi.VerbEvent:
		return ""
	case abi.VerbExternal:
		for _, e := range h.controller.Externals {
			if e.Provider == a.External.Provider && slices.Contains(e.Operations, a.External.Operation) {
				return ""
			}
		}
		return "the manifest does not ask for " + a.External.Provider + " " + a.External.Operation
	default:
	}
	if a.Kind == nil {
		return "the action names no kind"
	}
	for _, access := range h.controller.Access {
		if (*access.Kind == *a.Kind || access.Kind.Kind == "*") && access.Subresource == a.Subresource && slices.Contains(access.Verbs, verbs[a.Verb]) {
			return ""
		}
	}
	return "the manifest does not ask for " + verbs[a.Verb] + " of " + what(a)
}

// what names an action's kind and subresource.
func what(a *abi.Action) string {
	if a.Subresource == "" {
		return a.Kind.Kind
	}
	return a.Kind.Kind + "/" + a.Subresource
}
