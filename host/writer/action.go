package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
)

// errInvalid is why an action is not sent that makes no sense.
var errInvalid = errors.New("the action is invalid")

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errInvalid, fmt.Errorf(format, args...))
}

// do performs one action; before is the result of the one that it depends on.
func (w *Writer) do(ctx context.Context, owner Owner, a *abi.Action, before *abi.Result) done {
	if err := w.cfg.Grant.CheckAction(a); err != nil {
		return failure(err)
	}
	switch a.Verb { //nolint:exhaustive // the others are writes
	case abi.VerbEvent:
		return w.event(a)
	case abi.VerbExternal:
		return tolerate(a, w.external(ctx, a))
	}
	t, err := w.prepare(ctx, owner, a, before)
	if err != nil {
		return tolerate(a, failure(err))
	}
	d := tolerate(a, w.write(ctx, t))
	d.name = cmp.Or(t.name, t.generateName)
	return d
}

// write sends the request for a task and finds out what came of it.
func (w *Writer) write(ctx context.Context, t *task) done {
	if t.action.Verb == abi.VerbCreate && t.action.Subresource == "" {
		return w.create(ctx, t)
	}
	ans, f, err := w.client.send(ctx, t.call(w.cfg.Controller))
	if err != nil {
		return w.fate(ctx, t, f, err)
	}
	return w.success(ctx, t, ans)
}

// task is an action on an object, checked and ready to be sent.
type task struct {
	action *abi.Action
	owner  Owner
	gvk    schema.GroupVersionKind
	gvr    schema.GroupVersionResource
	// name is the object's. Of a create it is sent in the body, and empty as
	// long as it is to be drawn from generateName.
	name         string
	generateName string
	drawn        bool
	body         []byte // bare, metadata set
	encoding     abi.Encoding
	bodyKind     abi.Kind
	version      string // the object's before, if known
}

// prepare checks an action and turns it into a task.
func (w *Writer) prepare(ctx context.Context, owner Owner, a *abi.Action, before *abi.Result) (*task, error) {
	gv, err := schema.ParseGroupVersion(a.Kind.APIVersion)
	if err != nil {
		return nil, invalid("%w", err)
	}
	t := &task{action: a, owner: owner, gvk: gv.WithKind(a.Kind.Kind), name: a.Name, version: a.ResourceVersion, bodyKind: *a.Kind}
	if a.BodyKind != nil {
		t.bodyKind = *a.BodyKind
	}
	if a.ResourceVersionFromDependency {
		if before == nil || before.ResourceVersion == "" {
			return nil, invalid("there is no resource version to take from a dependency")
		}
		t.version = before.ResourceVersion
	}
	var namespaced bool
	if t.gvr, namespaced, err = w.cfg.Mapper.Resource(ctx, t.gvk); err != nil {
		return nil, fmt.Errorf("cannot find the resource: %w", err)
	}
	// A name that is missing, or a namespace that the path has no place for,
	// would make this another request than the one that policy has allowed.
	switch {
	case namespaced && a.Namespace == "":
		return nil, invalid("no namespace is given")
	case !namespaced && a.Namespace != "":
		return nil, invalid("the kind has no namespaces")
	case a.Verb == abi.VerbDeleteCollection && (a.Name != "" || a.Subresource != ""):
		return nil, invalid("a collection has neither name nor subresource")
	}
	if err := t.setBody(); err != nil {
		return nil, err
	}
	if t.name == "" && a.Verb != abi.VerbDeleteCollection && (a.Verb != abi.VerbCreate || a.Subresource != "") {
		return nil, invalid("no name is given")
	}
	return t, nil
}

// call is the request for a task.
func (t *task) call(manager string) *call {
	a := t.action
	c := &call{
		gvr: t.gvr, namespace: a.Namespace, name: t.name, subresource: a.Subresource,
		params: map[string]string{}, body: t.body, accept: accept(a.WantBody, t.encoding == abi.EncodingJSON, ""),
	}
	if a.FieldManager != "" {
		manager = a.FieldManager
	}
	c.params["fieldManager"] = manager
	if a.DryRun {
		c.params["dryRun"] = "All"
	}
	switch a.Verb { //nolint:exhaustive // the others are no requests
	case abi.VerbCreate:
		c.method = http.MethodPost
		if a.Subresource == "" {
			c.name = ""
		}
		c.impatient = a.Subresource == "eviction" // a disruption budget says no for longer than a worker waits
	case abi.VerbUpdate:
		c.method = http.MethodPut
	case abi.VerbPatch, abi.VerbApply:
		c.method, c.contentType = http.MethodPatch, patchTypes[a.PatchType]
		c.accept = accept(a.WantBody, a.Encoding == abi.EncodingJSON, "")
		if a.Verb == abi.VerbApply {
			c.contentType = typeApply
			if a.Force {
				c.params["force"] = "true"
			}
		}
		return c
	case abi.VerbDelete, abi.VerbDeleteCollection:
		t.callDelete(c)
		return c
	}
	c.contentType = typeJSON
	if t.encoding == abi.EncodingProtobuf {
		c.contentType, c.body = typeProtobuf, wrap(t.bodyKind, t.body)
	}
	return c
}
