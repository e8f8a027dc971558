package reads

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

// note takes note of a cached read, unless it is quiet.
func (r *Reader) note(q *abi.Query, read *subscribe.Read) {
	if q.Quiet {
		return
	}
	read.Wakes = FieldsOf(q.Wakes)
	r.notes.Add(read)
}

func (r *Reader) get(q *abi.Query, shown labels.Selector) abi.Answer {
	if q.Name == "" {
		return invalid("a get of %s names no object", q.Kind.Kind)
	}
	gvk := GVKOf(q.Kind)
	if !r.Watches.Has(gvk) {
		return notWatched(q)
	}
	r.note(q, &subscribe.Read{GVK: gvk, Name: q.Name, Query: informercache.Query{Namespace: q.Namespace}})
	return r.one(q, r.Watches.Get(gvk, q.Namespace, q.Name), shown)
}

// owner reads what an owner reference names.
func (r *Reader) owner(ctx context.Context, q *abi.Query, shown labels.Selector) abi.Answer {
	if r.Watches.wild.isOwnerGone(types.UID(q.UID), q.Namespace) {
		return abi.Answer{Status: abi.AnswerStatusNotFound, Gone: true}
	}
	_, namespaced, err := r.Mapper.Resource(ctx, GVKOf(q.Kind))
	if err != nil {
		return unmapped(err)
	}
	named := *q
	if answer := scopeOwner(&named, namespaced); answer != nil {
		return *answer
	}
	if err := r.prefer(ctx, &named); err != nil {
		return unmapped(err)
	}
	gvk := GVKOf(named.Kind)
	if !r.Watches.Has(gvk) {
		return notWatched(q)
	}
	r.note(&named, &subscribe.Read{GVK: gvk, Name: named.Name, Query: informercache.Query{Namespace: named.Namespace}})
	o := r.Watches.Get(gvk, named.Namespace, named.Name)
	if o != nil && q.UID != "" && string(o.UID()) != q.UID {
		o = nil
	}
	return r.one(&named, o, shown)
}

// scopeOwner leaves the namespace of an owner query aside where the owner's kind
// has none. An owner in a namespace can't be named by an object without one.
func scopeOwner(q *abi.Query, namespaced bool) *abi.Answer {
	if !namespaced {
		q.Namespace = ""
	} else if q.Namespace == "" {
		answer := invalid("an object without a namespace can't have an owner of the kind %s, which has namespaces", q.Kind.Kind)
		return &answer
	}
	return nil
}

// one answers with an object, if it is there and the controller may see it.
func (r *Reader) one(q *abi.Query, o *informercache.Object, shown labels.Selector) abi.Answer {
	if o == nil || shown != nil && !shown.Matches(o.Labels()) {
		return abi.Answer{Status: abi.AnswerStatusNotFound}
	}
	return r.encode(q, []*informercache.Object{o})
}

func (r *Reader) list(q *abi.Query, shown labels.Selector) abi.Answer {
	query, err := queryOf(q, shown)
	if err != nil {
		return invalid("%v", err)
	}
	gvk := GVKOf(q.Kind)
	if !r.Watches.Has(gvk) {
		return notWatched(q)
	}
	index := r.Watches.Index(gvk, q.Index)
	if q.Index != "" && index == nil {
		return invalid("the manifest declares no index %q for %s", q.Index, q.Kind.Kind)
	}
	r.note(q, &subscribe.Read{GVK: gvk, Query: query, Index: index})
	return r.encode(q, r.Watches.List(gvk, query))
}

// queryOf reads a list's conditions, and adds what the controller may see.
func queryOf(q *abi.Query, shown labels.Selector) (informercache.Query, error) {
	out := informercache.Query{
		Namespace: q.Namespace, Owner: types.UID(q.OwnerUID),
		Index: q.Index, IndexValue: q.IndexValue,
	}
	if q.AllNamespaces {
		out.Namespace = ""
	}
	switch {
	case q.Orphans:
		none := types.UID("")
		out.Controller = &none
	case q.ControllerUID != "":
		uid := types.UID(q.ControllerUID)
		out.Controller = &uid
	}
	selector, err := selectorOf(q)
	out.Selector = and(selector, shown)
	return out, err
}

func selectorOf(q *abi.Query) (labels.Selector, error) {
	var all labels.Selector
	if len(q.LabelSelector) > 0 {
		var ls metav1.LabelSelector
		if err := ls.Unmarshal(q.LabelSelector); err != nil {
			return nil, fmt.Errorf("cannot decode the label selector: %w", err)
		}
		s, err := metav1.LabelSelectorAsSelector(&ls)
		if err != nil {
			return nil, fmt.Errorf("cannot read the label selector: %w", err)
		}
		all = s
	}
	if q.Selector == "" {
		return all, nil
	}
	s, err := labels.Parse(q.Selector)
	if err != nil {
		return nil, fmt.Errorf("cannot read the selector %q: %w", q.Selector, err)
	}
	return and(s, all), nil
}

// and is both selectors; nil selects everything.
func and(a, b labels.Selector) labels.Selector {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	requirements, selectable := b.Requirements()
	if !selectable {
		return b // nothing
	}
	return a.Add(requirements...)
}
