package writer

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

// Fields of metav1.Status and of the StatusDetails in it, and of every list.
const (
	statusDetails = 5
	detailsName   = 1
	detailsUID    = 6
	listItems     = 2
)

// object is what an answer holds.
type object struct {
	meta
	status   bool // a metav1.Status, with the name and UID of what it is about
	body     []byte
	encoding abi.Encoding
}

// readObject reads what an answer holds: metadata, and the body as it is.
func readObject(a answer) (object, error) {
	if !isProtobuf(a.contentType) {
		return readJSONObject(a.body)
	}
	kind, body, err := unwrap(a.body)
	if err != nil {
		return object{}, err
	}
	o := object{body: body, encoding: abi.EncodingProtobuf, status: kind == "Status"}
	if !o.status {
		o.meta, err = metaOfProtobuf(body)
		return o, err
	}
	details, _ := wire.Find(body, statusDetails)
	name, _ := wire.Find(details, detailsName)
	uid, _ := wire.Find(details, detailsUID)
	o.name, o.uid = string(name), string(uid)
	return o, nil
}

func readJSONObject(body []byte) (object, error) {
	o := object{body: body, encoding: abi.EncodingJSON}
	var err error
	if o.meta, err = metaOfJSON(body); err != nil {
		return o, err
	}
	if o.status = o.kind == "Status" && o.apiVersion == "v1"; o.status {
		var s struct{ Details struct{ Name, UID string } }
		err = json.Unmarshal(body, &s)
		o.name, o.uid = s.Details.Name, s.Details.UID
	}
	return o, err
}

// readItems reads the metadata of a list's items.
func readItems(o *object) ([]meta, error) {
	var out []meta
	if o.encoding == abi.EncodingJSON {
		var list struct{ Items []jsonMeta }
		if err := json.Unmarshal(o.body, &list); err != nil {
			return nil, err
		}
		for i := range list.Items {
			out = append(out, list.Items[i].meta())
		}
		return out, nil
	}
	r := wire.NewReader(o.body)
	for r.Next() {
		if r.Field() != listItems {
			continue
		}
		m, err := metaOfProtobuf(r.Bytes())
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, r.Err()
}

// success makes a result of an answer that says that a task was performed.
func (w *Writer) success(ctx context.Context, t *task, a answer) done {
	o, err := readObject(a)
	if err != nil {
		return w.lookInto(ctx, t, fmt.Errorf("cannot read the answer: %w", err))
	}
	return t.succeeded(&o)
}

// succeeded makes a result of the object as it is after a task.
func (t *task) succeeded(o *object) done {
	d := done{result: abi.Result{Outcome: abi.OutcomeOK, Name: o.name, UID: o.uid, ResourceVersion: o.resourceVersion}}
	if d.result.Name == "" {
		d.result.Name = t.name
	}
	if t.action.WantBody {
		d.result.Body, d.result.Encoding = o.body, o.encoding
	}
	if t.version != "" && t.version == o.resourceVersion && !t.deletes() {
		d.result.Outcome = abi.OutcomeUnchanged
	}
	if !t.action.DryRun {
		d.writes = t.writes(o)
	}
	return d
}

// deletes reports whether the object is gone or terminating after the task.
func (t *task) deletes() bool {
	a := t.action
	return a.Verb == abi.VerbDelete || a.Verb == abi.VerbCreate && a.Subresource == "eviction"
}

// writes are what a cache must show after a task. An answer without a version
// (of a binding, say) gives none, nor does one that changed nothing.
func (t *task) writes(o *object) []Write {
	a := t.action
	write := Write{GVK: t.gvk, Namespace: a.Namespace, Name: t.name, UID: o.uid, ResourceVersion: o.resourceVersion}
	switch {
	case a.Verb == abi.VerbDeleteCollection:
		items, err := readItems(o)
		if err != nil || o.status {
			return nil
		}
		out := make([]Write, 0, len(items))
		for i := range items {
			out = append(out, Write{GVK: t.gvk, Namespace: a.Namespace, Name: items[i].name, UID: items[i].uid, Deleted: true})
		}
		return out
	case t.deletes():
		write.Deleted = true
		if write.UID == "" {
			write.UID = a.UID
		}
	case o.status || o.resourceVersion == "" || t.version == o.resourceVersion:
		return nil
	case o.gone() && a.Verb != abi.VerbCreate:
		write.Deleted, write.Gone, write.ResourceVersion = true, true, ""
	}
	return []Write{write}
}
