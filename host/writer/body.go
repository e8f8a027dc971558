package writer

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
)

const typeApply = string(types.ApplyPatchType)

// patchTypes are the content types of patches.
var patchTypes = map[abi.PatchType]string{
	abi.PatchTypeJSON:      string(types.JSONPatchType),
	abi.PatchTypeMerge:     string(types.MergePatchType),
	abi.PatchTypeStrategic: string(types.StrategicMergePatchType),
}

// setBody checks the body that an action has or must not have, and sets the
// metadata in it that the action asks for.
func (t *task) setBody() error {
	a := t.action
	switch a.Verb { //nolint:exhaustive // the others have none
	case abi.VerbCreate, abi.VerbUpdate:
		return t.setObject()
	case abi.VerbPatch, abi.VerbApply:
		return t.setPatch()
	}
	if len(a.Body) > 0 {
		return invalid("a deletion has no body")
	}
	return t.setDeleteOptions()
}

func (t *task) setObject() error {
	a := t.action
	if len(a.Body) == 0 {
		return invalid("there is no body")
	}
	t.encoding = encodingOf(a.Encoding, a.Body)
	m, err := readMeta(t.encoding, a.Body)
	if err != nil {
		return invalid("cannot read the body: %w", err)
	}
	if t.encoding == abi.EncodingJSON && (m.apiVersion != t.bodyKind.APIVersion || m.kind != t.bodyKind.Kind) {
		return invalid("the body says that it is a %q of %q, not a %q of %q", m.kind, m.apiVersion, t.bodyKind.Kind, t.bodyKind.APIVersion)
	}
	if a.BodyKind == nil && a.Name != "" && m.name != "" && a.Name != m.name {
		return invalid("the body is named %q, not %q", m.name, a.Name)
	}
	var e edit
	if a.Subresource == "" || a.Verb == abi.VerbUpdate {
		if m.name == "" {
			e.name = a.Name
		} else {
			t.name = m.name
		}
		t.generateName = m.generateName
	}
	if a.Verb == abi.VerbUpdate {
		e.uid, e.resourceVersion = a.UID, t.version
		if t.version == "" {
			t.version = m.resourceVersion
		}
	}
	if t.body, err = e.object(t.encoding, a.Body); err != nil {
		return invalid("cannot set metadata in the body: %w", err)
	}
	return nil
}

func (t *task) setPatch() error {
	a := t.action
	kind := a.PatchType
	if a.Verb == abi.VerbApply {
		kind = abi.PatchTypeMerge // an object too
	}
	switch {
	case len(a.Body) == 0:
		return invalid("there is no patch")
	case a.Encoding == abi.EncodingProtobuf:
		return invalid("patches are JSON")
	case patchTypes[kind] == "":
		return invalid("the type of the patch is not given")
	}
	var err error
	if t.body, err = (edit{uid: a.UID, resourceVersion: t.version}).patch(kind, a.Body); err != nil {
		return invalid("cannot set preconditions in the patch: %w", err)
	}
	return nil
}

// setDeleteOptions makes the body of a deletion. There always is one, so that
// the fence can hold it back.
func (t *task) setDeleteOptions() error {
	a := t.action
	o := metav1.DeleteOptions{GracePeriodSeconds: a.GracePeriodSeconds}
	if a.UID != "" || t.version != "" {
		o.Preconditions = &metav1.Preconditions{}
	}
	if a.UID != "" {
		uid := types.UID(a.UID)
		o.Preconditions.UID = &uid
	}
	if t.version != "" {
		o.Preconditions.ResourceVersion = &t.version
	}
	if p := propagations[a.Propagation]; p != "" {
		o.PropagationPolicy = &p
	}
	if a.DryRun {
		o.DryRun = []string{metav1.DryRunAll}
	}
	var err error
	t.body, err = json.Marshal(o)
	return err
}

var propagations = map[abi.Propagation]metav1.DeletionPropagation{
	abi.PropagationBackground: metav1.DeletePropagationBackground,
	abi.PropagationForeground: metav1.DeletePropagationForeground,
	abi.PropagationOrphan:     metav1.DeletePropagationOrphan,
}

// callDelete completes the request for a deletion.
func (t *task) callDelete(c *call) {
	a := t.action
	c.method, c.contentType = "DELETE", typeJSON
	c.accept = accept(a.WantBody, a.Encoding == abi.EncodingJSON, "")
	c.params = map[string]string{} // all else is in the options
	if a.Verb == abi.VerbDeleteCollection {
		c.accept = accept(a.WantBody, a.Encoding == abi.EncodingJSON, "List")
		if a.LabelSelector != "" {
			c.params["labelSelector"] = a.LabelSelector
		}
		if a.FieldSelector != "" {
			c.params["fieldSelector"] = a.FieldSelector
		}
	}
}

// accept asks for the whole object where it is wanted, else for its metadata.
// What cannot come as asked comes whole, in whichever encoding there is.
func accept(whole, onlyJSON bool, list string) string {
	encodings := typeProtobuf + "," + typeJSON
	if onlyJSON {
		encodings = typeJSON
	}
	if whole {
		return encodings
	}
	const as = ";as=PartialObjectMetadata"
	const of = ";g=meta.k8s.io;v=v1"
	return typeProtobuf + as + list + of + "," + typeJSON + as + list + of + "," + encodings
}
