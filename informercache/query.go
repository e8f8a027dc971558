package informercache

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"
)

// Query selects objects: those that meet all that is set in it. The zero Query
// selects everything that the watch covers.
type Query struct {
	// Namespace is where to look; "" is every namespace that the watch covers.
	Namespace string
	// Selector is over labels; nil selects everything.
	Selector labels.Selector
	// Controller is the UID of the controlling owner. A pointer to "" selects
	// orphans: objects that have no controller.
	Controller *types.UID
	// Owner is the UID of any owner, controller or not.
	Owner types.UID
	// Index names a declared index, and IndexValue what to find in it. Objects
	// without a value are found under "". An index that was not declared finds
	// nothing.
	Index, IndexValue string
}

// plan is a query with its index resolved.
type plan struct {
	Query
	index *indexKey
}

// run answers the query: candidates are taken from the smallest index that
// applies while the store is locked, and looked at afterwards.
func (s *store) run(p plan) []*Object {
	s.mu.RLock()
	found, values := s.core.candidates(p)
	s.mu.RUnlock()
	found = slices.DeleteFunc(found, func(o *Object) bool { return !p.matches(o, values) })
	slices.SortFunc(found, byName)
	return found
}

func byName(a, b *Object) int {
	if n := strings.Compare(a.namespace, b.namespace); n != 0 {
		return n
	}
	return strings.Compare(a.name, b.name)
}

// candidates returns a superset of the answer, and the declared index that
// matches is to look at again (nil if it was the source).
func (c *core) candidates(p plan) ([]*Object, *Index) {
	const unbounded = -1
	best, size := posting(nil), unbounded
	consider := func(q posting) {
		if size == unbounded || len(q) < size {
			best, size = q, len(q)
		}
	}
	var check *Index
	if p.index != nil {
		d := c.declared[*p.index]
		if d == nil {
			return nil, nil
		}
		check = &d.index
		consider(d.postings[p.IndexValue])
	}
	if p.Owner != "" {
		consider(c.owners[p.Owner])
	}
	if p.Controller != nil {
		consider(c.owners[*p.Controller])
	}
	for _, l := range exactLabels(p.Selector) {
		consider(c.labels[l])
	}
	if names := c.spaces[p.Namespace]; p.Namespace != "" && (size == unbounded || len(names) < size) {
		found := make([]*Object, 0, len(names))
		for _, s := range names {
			found = append(found, c.slots[s])
		}
		return found, check
	}
	if size == unbounded {
		return c.all(make([]*Object, 0, c.count)), check
	}
	found := make([]*Object, 0, len(best))
	for _, s := range best {
		found = append(found, c.slots[s])
	}
	return found, check
}

// exactLabels are the labels that every match of the selector must have.
func exactLabels(s labels.Selector) []label {
	if s == nil {
		return nil
	}
	requirements, selectable := s.Requirements()
	if !selectable {
		return nil
	}
	var exact []label
	for i := range requirements {
		switch requirements[i].Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In:
			if values := requirements[i].ValuesUnsorted(); len(values) == 1 {
				exact = append(exact, label{requirements[i].Key(), values[0]})
			}
		default:
		}
	}
	return exact
}

func (p plan) matches(o *Object, index *Index) bool {
	if p.Namespace != "" && o.namespace != p.Namespace {
		return false
	}
	if p.Selector != nil && !p.Selector.Matches(o.labels) {
		return false
	}
	if p.Controller != nil {
		var uid types.UID
		if ref := o.Controller(); ref != nil {
			uid = ref.UID
		}
		if uid != *p.Controller {
			return false
		}
	}
	if p.Owner != "" && !slices.ContainsFunc(o.owners.refs, func(r OwnerReference) bool { return r.UID == p.Owner }) {
		return false
	}
	return index == nil || slices.Contains(indexValues(o, *index), p.IndexValue)
}
