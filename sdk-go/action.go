package sdk

import "github.com/loopdock/loopdock/abi"

// Action is one thing that a reconcile wants done. Its methods add to what was
// said when it was made, and give it back:
//
//	r.Delete(pods, ns, name).IfUID(uid).Tolerate(sdk.NotFound)
//
// What they don't cover can be set in the ABI's message, which it holds.
type Action struct {
	abi.Action
	after *Action
}

// What becomes of the dependants of a deleted object.
const (
	Background = abi.PropagationBackground
	Foreground = abi.PropagationForeground
	Orphan     = abi.PropagationOrphan
)

// On makes the action go to a subresource ("status", "scale", "eviction").
func (a *Action) On(subresource string) *Action {
	a.Subresource = subresource
	return a
}

// BodyOf says that the body is of another kind than the object: Scale, Eviction.
func (a *Action) BodyOf(kind *Kind) *Action {
	a.BodyKind = kind
	return a
}

// JSON says that the body is JSON, for kinds that have protobuf too.
func (a *Action) JSON() *Action {
	a.Encoding = abi.EncodingJSON
	return a
}

// IfUID performs an update, patch or delete only on the object with that UID.
func (a *Action) IfUID(uid string) *Action {
	a.UID = uid
	return a
}

// IfResourceVersion performs an update, patch or delete only on that version.
func (a *Action) IfResourceVersion(version string) *Action {
	a.ResourceVersion = version
	return a
}

// Propagate says what becomes of a deleted object's dependants.
func (a *Action) Propagate(p abi.Propagation) *Action {
	a.Propagation = p
	return a
}

// Grace gives a deleted object that many seconds to end.
func (a *Action) Grace(seconds int64) *Action {
	a.GracePeriodSeconds = &seconds
	return a
}

// After performs the action only if that earlier one of the same reconcile succeeded.
func (a *Action) After(earlier *Action) *Action {
	a.after = earlier
	return a
}

// Following is After for an update, with the resource version that the earlier
// action left in place of that in the body.
func (a *Action) Following(earlier *Action) *Action {
	a.ResourceVersionFromDependency = true
	return a.After(earlier)
}

// Tolerate counts failures with these reasons as success.
func (a *Action) Tolerate(reasons ...string) *Action {
	a.Tolerates = append(a.Tolerates, reasons...)
	return a
}

// Return asks for the object in the result.
func (a *Action) Return() *Action {
	a.WantBody = true
	return a
}

// Manager names the field manager, where it is not the controller.
func (a *Action) Manager(name string) *Action {
	a.FieldManager = name
	return a
}

// Forced lets an apply take over fields that others own.
func (a *Action) Forced() *Action {
	a.Force = true
	return a
}
