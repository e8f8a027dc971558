package reads

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/informercache"
)

// Refresh looks at discovery: it begins to watch the kinds of a wildcard that are
// new, and ceases to watch those that are no longer served.
func (w *Watches) Refresh(ctx context.Context) (Shift, error) {
	if w.wild == nil {
		return Shift{}, nil
	}
	return w.wild.refresh(ctx)
}

// Wild reports whether the controller has a wildcard.
func (w *Watches) Wild() bool { return w.wild != nil }

// Saw takes note of a change of a wildcard's kind, before anybody is woken by it.
func (w *Watches) Saw(ch *informercache.Change) { w.wild.saw(ch) }

// Found is an object of one of a wildcard's kinds with its resource.
func (w *Watches) Found(gvk schema.GroupVersionKind, o *informercache.Object) Found {
	f := Found{GVK: gvk, Object: o}
	if k := w.wild.of(gvk); k != nil {
		f.Resource = k.resource
	}
	return f
}

// Serving gives the kind of a wildcard's resource, and whether it is watched.
func (w *Watches) Serving(r schema.GroupResource) (gvk schema.GroupVersionKind, ok bool) {
	if k := w.wild.serving(r); k != nil {
		return k.gvk, true
	}
	return gvk, false
}

// InKind gives all objects of one kind of a wildcard.
func (w *Watches) InKind(gvk schema.GroupVersionKind) []Found {
	var out []Found
	if k := w.wild.of(gvk); k != nil {
		for _, o := range k.watch.List(informercache.Query{}) {
			out = append(out, Found{k.gvk, k.resource, o})
		}
	}
	return out
}

// Everywhere gives the objects of all kinds of a wildcard that a query selects.
// Its Index is not looked at.
func (w *Watches) Everywhere(q informercache.Query) []Found {
	q.Index, q.IndexValue = "", ""
	return w.find(q)
}

// ByUID gives the object of a UID among all kinds of a wildcard, nil if there is
// none.
func (w *Watches) ByUID(uid types.UID) *Found {
	found := w.find(informercache.Query{Index: uidIndex.Name, IndexValue: string(uid)})
	if len(found) == 0 {
		return nil
	}
	return &found[0]
}

func (w *Watches) find(q informercache.Query) []Found {
	var out []Found
	for _, k := range w.wild.all() {
		for _, o := range k.watch.List(q) {
			out = append(out, Found{k.gvk, k.resource, o})
		}
	}
	return out
}

// Knows reports whether the indexes of a wildcard's kinds have an object of that
// UID, or one that names it as an owner.
func (w *Watches) Knows(uid types.UID) bool {
	return w.ByUID(uid) != nil || len(w.Everywhere(informercache.Query{Owner: uid})) > 0
}
