package sdk

import "github.com/loopdock/loopdock/abi"

// Kinds of patches.
const (
	// JSONPatch is RFC 6902.
	JSONPatch = abi.PatchTypeJSON
	// MergePatch is RFC 7386.
	MergePatch = abi.PatchTypeMerge
	// StrategicPatch is Kubernetes' own, for built-in kinds.
	StrategicPatch = abi.PatchTypeStrategic
)

// Types of Events.
const (
	Normal  = "Normal"
	Warning = "Warning"
)

// Create asks for an object. The name is empty where the body has a
// generateName; the result tells which name was drawn.
func (b *Batch) Create(kind *Kind, namespace, name string, body []byte) *Action {
	return b.add(abi.Action{Verb: abi.VerbCreate, Kind: kind, Namespace: namespace, Name: name, Body: body})
}

// Update replaces an object. The resource version in the body must be the current one.
func (b *Batch) Update(kind *Kind, namespace, name string, body []byte) *Action {
	return b.add(abi.Action{Verb: abi.VerbUpdate, Kind: kind, Namespace: namespace, Name: name, Body: body})
}

// UpdateStatus replaces the status of an object by that in the body.
func (b *Batch) UpdateStatus(kind *Kind, namespace, name string, body []byte) *Action {
	return b.Update(kind, namespace, name, body).On("status")
}

// Patch changes an object by a patch in JSON.
func (b *Batch) Patch(kind *Kind, namespace, name string, typ abi.PatchType, patch []byte) *Action {
	return b.add(abi.Action{Verb: abi.VerbPatch, Kind: kind, Namespace: namespace, Name: name, PatchType: typ, Body: patch, Encoding: abi.EncodingJSON})
}

// Apply asks for what the body holds, by server-side apply. The body is JSON
// or YAML and names only the fields that the controller owns.
func (b *Batch) Apply(kind *Kind, namespace, name string, body []byte) *Action {
	return b.add(abi.Action{Verb: abi.VerbApply, Kind: kind, Namespace: namespace, Name: name, Body: body, Encoding: abi.EncodingJSON})
}

// Delete deletes an object.
func (b *Batch) Delete(kind *Kind, namespace, name string) *Action {
	return b.add(abi.Action{Verb: abi.VerbDelete, Kind: kind, Namespace: namespace, Name: name})
}

// DeleteCollection deletes all objects of a namespace that match a label
// selector in kubectl's syntax.
func (b *Batch) DeleteCollection(kind *Kind, namespace, selector string) *Action {
	return b.add(abi.Action{Verb: abi.VerbDeleteCollection, Kind: kind, Namespace: namespace, LabelSelector: selector})
}

// Event records an Event about the key's object. It needs a primary kind, or the
// object of a wildcard key.
func (b *Batch) Event(typ, reason, message string) *Action {
	key, kind := b.r.req.Key, b.r.Kind()
	if kind == nil {
		panic("sdk: Event needs the kind of the key's object; use EventAbout")
	}
	return b.EventAbout(kind, key.Namespace, key.Name, b.r.uid, typ, reason, message)
}

// EventAbout records an Event about an object.
func (b *Batch) EventAbout(kind *Kind, namespace, name, uid, typ, reason, message string) *Action {
	return b.add(abi.Action{
		Verb: abi.VerbEvent, Kind: kind, Namespace: namespace, Name: name, UID: uid,
		Event: &abi.Event{Type: typ, Reason: reason, Message: message},
	})
}

// External calls a provider of the host. Continue to learn what it answered.
func (b *Batch) External(provider, operation string, payload []byte) *Action {
	return b.add(abi.Action{Verb: abi.VerbExternal, External: &abi.External{Provider: provider, Operation: operation, Payload: payload}})
}

func (b *Batch) add(a abi.Action) *Action {
	out := &Action{Action: a}
	b.actions = append(b.actions, out)
	return out
}

// Create is Batch.Create, in sequence with the other actions of the Reconcile.
func (r *Reconcile) Create(kind *Kind, namespace, name string, body []byte) *Action {
	return r.sequence().Create(kind, namespace, name, body)
}

// Update is Batch.Update, in sequence with the other actions of the Reconcile.
func (r *Reconcile) Update(kind *Kind, namespace, name string, body []byte) *Action {
	return r.sequence().Update(kind, namespace, name, body)
}

// UpdateStatus is Batch.UpdateStatus, in sequence with the other actions of the Reconcile.
func (r *Reconcile) UpdateStatus(kind *Kind, namespace, name string, body []byte) *Action {
	return r.sequence().UpdateStatus(kind, namespace, name, body)
}

// Patch is Batch.Patch, in sequence with the other actions of the Reconcile.
func (r *Reconcile) Patch(kind *Kind, namespace, name string, typ abi.PatchType, patch []byte) *Action {
	return r.sequence().Patch(kind, namespace, name, typ, patch)
}

// Apply is Batch.Apply, in sequence with the other actions of the Reconcile.
func (r *Reconcile) Apply(kind *Kind, namespace, name string, body []byte) *Action {
	return r.sequence().Apply(kind, namespace, name, body)
}

// Delete is Batch.Delete, in sequence with the other actions of the Reconcile.
func (r *Reconcile) Delete(kind *Kind, namespace, name string) *Action {
	return r.sequence().Delete(kind, namespace, name)
}

// DeleteCollection is Batch.DeleteCollection, in sequence with the other
// actions of the Reconcile.
func (r *Reconcile) DeleteCollection(kind *Kind, namespace, selector string) *Action {
	return r.sequence().DeleteCollection(kind, namespace, selector)
}

// Event is Batch.Event, in sequence with the other actions of the Reconcile.
func (r *Reconcile) Event(typ, reason, message string) *Action {
	return r.sequence().Event(typ, reason, message)
}

// EventAbout is Batch.EventAbout, in sequence with the other actions of the Reconcile.
func (r *Reconcile) EventAbout(kind *Kind, namespace, name, uid, typ, reason, message string) *Action {
	return r.sequence().EventAbout(kind, namespace, name, uid, typ, reason, message)
}

// External is Batch.External, in sequence with the other actions of the Reconcile.
func (r *Reconcile) External(provider, operation string, payload []byte) *Action {
	return r.sequence().External(provider, operation, payload)
}
