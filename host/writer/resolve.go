package writer

import (
	"context"
	"fmt"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
)

// After a lost answer the object is read so often, with doubling pauses between.
const (
	looks      = 4
	firstPause = 100 * time.Millisecond
)

// verdict is what a live read says about a write whose answer was lost.
type verdict int

const (
	notPerformed verdict = iota
	performed
	// maybe: the object is there, and the write may be one of those that brought
	// it to its present version.
	maybe
)

// unknown describes a task whose answer was lost.
func (t *task) unknown(cause error) *Unknown {
	a := t.action
	u := &Unknown{
		Verb: a.Verb, GVK: t.gvk, Namespace: a.Namespace, Name: t.name, Subresource: a.Subresource,
		UID: a.UID, ResourceVersion: t.version, Owner: t.owner, Drawn: t.drawn, Cause: cause,
	}
	if t.deletes() {
		u.Verb = abi.VerbDelete
	}
	return u
}

// lookInto reads live what became of a task whose answer was lost.
func (w *Writer) lookInto(ctx context.Context, t *task, cause error) done {
	u := t.unknown(cause)
	d := failure(cause)
	if u.Name == "" { // a collection: there is no one object to look at
		d.result.Outcome = abi.OutcomeUnknown
		return d
	}
	w.cfg.Logger.WarnContext(ctx, "answer lost, looking at the object", "kind", u.GVK.Kind,
		"namespace", u.Namespace, "name", u.Name, "verb", verbName(u.Verb), "err", cause.Error())
	v, o, err := w.lookRepeatedly(ctx, u, t.action.WantBody)
	switch {
	case err != nil:
		d.result.Outcome, d.unknown = abi.OutcomeUnknown, u
		return d
	case v == performed:
		return t.succeeded(&o)
	case v == maybe:
		d.result.Outcome = abi.OutcomeUnknown
		d.writes = t.writes(&o)
	}
	return d
}

func (w *Writer) lookRepeatedly(ctx context.Context, u *Unknown, whole bool) (verdict, object, error) {
	pause := firstPause
	for try := 1; ; try++ {
		v, o, err := w.look(ctx, u, whole)
		if err == nil || try == looks || ctx.Err() != nil {
			return v, o, err
		}
		timer := w.cfg.Clock.NewTimer(pause)
		select {
		case <-timer.C():
		case <-ctx.Done():
			timer.Stop()
			return v, o, err
		}
		pause *= 2
	}
}

// look reads the object once and judges.
func (w *Writer) look(ctx context.Context, u *Unknown, whole bool) (verdict, object, error) {
	o, err := w.get(ctx, u, whole)
	switch {
	case apierrors.IsNotFound(err) && u.Verb == abi.VerbDelete:
		return performed, object{meta: meta{name: u.Name, uid: u.UID}, status: true}, nil
	case apierrors.IsNotFound(err):
		return notPerformed, o, nil
	case err != nil:
		return maybe, o, err
	}
	return u.judge(&o.meta), o, nil
}

// judge compares an object that is there with what the write would have made.
func (u *Unknown) judge(m *meta) verdict {
	// One of ours that is about to go is the one before: ours could not be made.
	ours := u.Drawn || u.Owner.UID != "" && u.Owner.UID == m.controller && !m.terminating
	switch {
	case u.Verb == abi.VerbDelete:
		if m.terminating || u.UID != "" && u.UID != m.uid {
			return performed
		}
		return notPerformed
	case u.Verb == abi.VerbCreate && u.Subresource == "":
		if ours {
			return performed
		}
		return notPerformed // the name is another's
	case u.ResourceVersion != "" && u.ResourceVersion == m.resourceVersion:
		return notPerformed
	}
	return maybe
}

// Resolve finds out, by one live read, what became of an action that Perform
// left unknown. It gives what a cache must show before the key runs again; the
// zero Write if nothing. An error means that it is not known yet.
func (w *Writer) Resolve(ctx context.Context, u Unknown) (Write, error) {
	v, o, err := w.look(ctx, &u, false)
	if err != nil {
		return Write{}, fmt.Errorf("cannot find out what became of the %s of %s %s/%s: %w",
			verbName(u.Verb), u.GVK.Kind, u.Namespace, u.Name, err)
	}
	out := Write{GVK: u.GVK, Namespace: u.Namespace, Name: u.Name, UID: o.uid, ResourceVersion: o.resourceVersion}
	switch {
	case u.Verb == abi.VerbDelete && v == performed:
		out.Deleted, out.UID = true, u.UID
	case o.resourceVersion == "":
		return Write{}, nil
	}
	return out, nil
}

// get reads an object live: its metadata, or the whole of it.
func (w *Writer) get(ctx context.Context, u *Unknown, whole bool) (object, error) {
	gvr, _, err := w.cfg.Mapper.Resource(ctx, u.GVK)
	if err != nil {
		return object{}, err
	}
	ans, _, err := w.client.send(ctx, &call{
		method: http.MethodGet, gvr: schema.GroupVersionResource{Group: gvr.Group, Version: gvr.Version, Resource: gvr.Resource},
		namespace: u.Namespace, name: u.Name, accept: accept(whole, false, ""),
	})
	if err != nil {
		return object{}, err
	}
	return readObject(ans)
}
