package reads

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/informercache"
)

// liveList lists by label selector at the API server, and holds what comes
// against the query's other conditions.
func (r *Reader) liveList(ctx context.Context, q *abi.Query, gvr schema.GroupVersionResource, namespace string, shown labels.Selector) abi.Answer {
	if q.Index != "" {
		return invalid("a live list can't use the index %q: only the cache has it", q.Index)
	}
	query, err := queryOf(q, shown)
	if err != nil {
		return invalid("%v", err)
	}
	opts := metav1.ListOptions{Limit: int64(q.Limit), Continue: q.Continue}
	if query.Selector != nil {
		opts.LabelSelector = query.Selector.String()
	}
	list, err := r.Live.List(ctx, gvr, namespace, opts, q.MetadataOnly)
	if err != nil {
		return liveError(err)
	}
	objects := make([]*informercache.Object, 0, len(list.Items))
	for _, o := range list.Items {
		if query.Matches(o, nil) {
			objects = append(objects, o)
		}
	}
	out := r.encode(q, objects)
	out.ResourceVersion, out.Continue = list.ResourceVersion, list.Continue
	return out
}
