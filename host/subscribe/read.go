package subscribe

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/informercache"
)

// Read is one thing that a key read: an object by name, or a list.
type Read struct {
	GVK schema.GroupVersionKind
	// Name is set for an object; then only Query.Namespace counts beside it.
	Name string
	// Query is what a list asked for.
	Query informercache.Query
	// Index declares the index that Query names, nil where it names none.
	Index *informercache.Index
	// Wakes names the fields whose change matters where the object is in the
	// answer before and after. Empty means that any change does.
	Wakes []Field
}

// id is the same for equal reads and differs for others.
func (r *Read) id() string {
	var b strings.Builder
	part := func(s string) { b.WriteString(s); b.WriteByte(0) }
	part(r.GVK.String())
	part(r.Query.Namespace)
	part(r.Name)
	if r.Query.Selector != nil {
		part(r.Query.Selector.String())
	}
	b.WriteByte(0)
	if r.Query.Controller != nil {
		part("c" + string(*r.Query.Controller))
	}
	part(string(r.Query.Owner))
	part(r.Query.Index)
	part(r.Query.IndexValue)
	for i := range r.Wakes {
		part(r.Wakes[i].id())
	}
	return b.String()
}

// matches reports whether the object is in the answer.
func (r *Read) matches(o *informercache.Object) bool {
	if o == nil {
		return false
	}
	if r.Name != "" {
		return o.Name() == r.Name && o.Namespace() == r.Query.Namespace
	}
	return r.Query.Matches(o, r.Index)
}

// differs reports whether the answer would differ after the change.
func (r *Read) differs(old, cur *informercache.Object) bool {
	was, is := r.matches(old), r.matches(cur)
	if was != is {
		return true
	}
	if !is {
		return false
	}
	return Differs(r.Wakes, old, cur)
}
