package sdktest

import (
	"strings"

	"github.com/loopdock/loopdock/abi"
)

// String describes an action in a line, and what became of it if that was not
// success:
//
//	create Pod default/web-1
//	delete Pod default/web-2: Forbidden: not you
//	event Normal SuccessfulCreate: Created pod: web-1
func (d *Done) String() string {
	out := d.subject()
	switch d.Result.Outcome {
	case abi.OutcomeOK, abi.OutcomeUnspecified:
		return out
	case abi.OutcomeSkipped:
		return out + ": skipped"
	case abi.OutcomeUnchanged:
		return out + ": unchanged"
	case abi.OutcomeUnknown:
		out += ": unknown"
	default:
	}
	why := strings.TrimPrefix(d.Result.Reason+": "+d.Result.Message, ": ")
	return out + ": " + strings.TrimSuffix(why, ": ")
}

func (d *Done) subject() string {
	switch d.Verb {
	case abi.VerbEvent:
		return "event " + d.Event.Type + " " + d.Event.Reason + ": " + d.Event.Message
	case abi.VerbExternal:
		return "external " + d.External.Provider + " " + d.External.Operation
	default:
	}
	name := d.Name
	if d.Result.Name != "" {
		name = d.Result.Name
	}
	verb := verbs[d.Verb]
	if d.Verb == abi.VerbApply {
		verb = "apply"
	}
	out := verb + " " + what(&d.Action) + " " + strings.TrimPrefix(d.Namespace+"/"+name, "/")
	if d.Verb == abi.VerbPatch {
		out += " " + string(d.Action.Body)
	}
	return out
}
