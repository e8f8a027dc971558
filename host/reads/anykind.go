package reads

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

// anyKind reads across all kinds of a wildcard.
func (r *Reader) anyKind(q *abi.Query) abi.Answer {
	switch {
	case q.Live:
		return invalid("a live read names a kind or a resource")
	case q.Index != "":
		return invalid("no index is declared for every kind")
	case q.Type == abi.QueryTypeList:
		query, err := queryOf(q, nil)
		if err != nil {
			return invalid("%v", err)
		}
		r.note(q, &subscribe.Read{GVK: AnyKind, Query: query})
		return r.encodeFound(q, r.Watches.Everywhere(query))
	case q.Type == abi.QueryTypeGet && q.UID != "" && q.Name == "":
		return r.byUID(q)
	}
	return invalid("a read of every kind is a list, or a get by UID")
}

func (r *Reader) byUID(q *abi.Query) abi.Answer {
	r.note(q, &subscribe.Read{GVK: AnyKind, Query: informercache.Query{Index: uidIndex.Name, IndexValue: q.UID}, Index: &uidIndex})
	found := r.Watches.ByUID(types.UID(q.UID))
	if found == nil {
		return abi.Answer{Status: abi.AnswerStatusNotFound, Gone: r.Watches.wild.isGone(types.UID(q.UID))}
	}
	return r.encodeFound(q, []Found{*found})
}

// encodeFound puts the metadata of objects of several kinds into an answer.
func (r *Reader) encodeFound(q *abi.Query, found []Found) abi.Answer {
	out := abi.Answer{Status: abi.AnswerStatusOK, Objects: make([]abi.Object, len(found))}
	for i, f := range found {
		encoded, err := r.Encode(f.GVK, q.Encoding, true, f.Object)
		if err != nil {
			return failed(fmt.Errorf("cannot encode %s %s/%s: %w", f.GVK.Kind, f.Object.Namespace(), f.Object.Name(), err))
		}
		encoded.Kind = kindOf(f.GVK)
		out.Objects[i] = encoded
	}
	return out
}

// prefer names a query's kind in the version that is watched, where it was found
// by a wildcard and the query names another one.
func (r *Reader) prefer(ctx context.Context, q *abi.Query) error {
	gvk := GVKOf(q.Kind)
	if !r.Watches.Wild() || r.Watches.Has(gvk) {
		return nil
	}
	gvr, _, err := r.Mapper.Resource(ctx, gvk)
	if err != nil {
		return err
	}
	if preferred, ok := r.Watches.Serving(gvr.GroupResource()); ok {
		q.Kind = kindOf(preferred)
	}
	return nil
}

func kindOf(gvk schema.GroupVersionKind) *abi.Kind {
	return &abi.Kind{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}
}
