package subscribe

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/loopdock/loopdock/informercache"
)

// bucket is where reads that one property of an object can concern are found.
// Exactly one of the fields after kind says which property.
type bucket struct {
	gvk       schema.GroupVersionKind
	namespace string // of the read; empty for reads over all namespaces
	by        property
	a, b      string // the property's value
}

type property uint8

const (
	byName       property = iota // a: name
	byController                 // a: UID
	byOwner                      // a: UID
	byIndex                      // a: index, b: value
	byLabel                      // a: key, b: value
	byLabelKey                   // a: key
	byOrphan                     // no controller
	byAny
)

// bucketOf chooses the most selective property that a read requires.
func bucketOf(r *Read) bucket {
	b := bucket{gvk: r.GVK, namespace: r.Query.Namespace}
	q := &r.Query
	switch {
	case r.Name != "":
		b.by, b.a = byName, r.Name
	case q.Controller != nil && *q.Controller != "":
		b.by, b.a = byController, string(*q.Controller)
	case q.Owner != "":
		b.by, b.a = byOwner, string(q.Owner)
	case q.Index != "":
		b.by, b.a, b.b = byIndex, q.Index, q.IndexValue
	default:
		b.by, b.a, b.b = labelBucket(q)
	}
	return b
}

// labelBucket picks one label that a matching object must have.
func labelBucket(q *informercache.Query) (property, string, string) {
	by, key := byAny, ""
	if q.Selector != nil {
		requirements, _ := q.Selector.Requirements()
		for _, r := range requirements {
			switch r.Operator() {
			case selection.Equals, selection.DoubleEquals, selection.In:
				if len(r.ValuesUnsorted()) == 1 {
					return byLabel, r.Key(), r.ValuesUnsorted()[0]
				}
				by, key = byLabelKey, r.Key()
			case selection.Exists:
				by, key = byLabelKey, r.Key()
			default:
			}
		}
	}
	if by == byAny && q.Controller != nil {
		by = byOrphan
	}
	return by, key, ""
}

// visit calls f with every bucket in which a read could stand that the object
// is in the answer of. The indexes are those that reads of the kind use.
func visit(gvk schema.GroupVersionKind, o *informercache.Object, indexes map[string]*usedIndex, f func(bucket)) {
	if o == nil {
		return
	}
	scopes := []string{o.Namespace(), ""}
	if o.Namespace() == "" {
		scopes = scopes[:1]
	}
	for _, ns := range scopes {
		at := func(by property, a, b string) { f(bucket{gvk, ns, by, a, b}) }
		at(byName, o.Name(), "")
		at(byAny, "", "")
		controlled := false
		owners := o.Owners()
		for i := range owners {
			at(byOwner, string(owners[i].UID), "")
			if owners[i].Controller {
				controlled = true
				at(byController, string(owners[i].UID), "")
			}
		}
		if !controlled {
			at(byOrphan, "", "")
		}
		for k, v := range o.Labels().All() {
			at(byLabel, k, v)
			at(byLabelKey, k, "")
		}
		for name, used := range indexes {
			for _, v := range used.index.Values(o) {
				at(byIndex, name, v)
			}
		}
	}
}
