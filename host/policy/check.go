package policy

import (
	"github.com/loopdock/loopdock/abi"
)

// CheckAction returns nil if the action is allowed and a *DeniedError if not.
// It looks at the coordinates alone; that they make sense is the writer's care.
func (g *Grant) CheckAction(a *abi.Action) error {
	if a.Verb == abi.VerbEvent {
		return nil
	}
	if a.Verb == abi.VerbExternal {
		return g.checkExternal(a)
	}
	kind := deref(a.Kind)
	verb, known := Verb(a.Verb)
	if g != nil && known && kind.Kind != "" && kind.Kind != Any {
		for _, r := range g.Rules {
			if r.covers(verb, kind, a.Subresource, a.Namespace) {
				return nil
			}
		}
	}
	return &DeniedError{
		Controller: g.controller(), Verb: verb, Kind: kind,
		Subresource: a.Subresource, Namespace: a.Namespace,
	}
}

func (g *Grant) checkExternal(a *abi.Action) error {
	var e abi.External
	if a.External != nil {
		e = *a.External
	}
	if g != nil && g.allowsExternal(e.Provider, e.Operation) {
		return nil
	}
	return &DeniedError{
		Controller: g.controller(), Verb: "call",
		External: &External{Provider: e.Provider, Operations: []string{e.Operation}},
	}
}

// Verb is the API's verb for an action on objects, and whether there is one.
func Verb(v abi.Verb) (string, bool) {
	switch v { //nolint:exhaustive // the others are not done to objects
	case abi.VerbCreate:
		return "create", true
	case abi.VerbUpdate:
		return "update", true
	case abi.VerbPatch, abi.VerbApply:
		return "patch", true
	case abi.VerbDelete:
		return "delete", true
	case abi.VerbDeleteCollection:
		return "deletecollection", true
	}
	return "unknown verb", false
}

func (g *Grant) controller() string {
	if g == nil {
		return ""
	}
	return g.Controller
}
