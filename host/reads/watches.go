package reads

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

// Watches are the watches that one module version of a controller reads from,
// by kind. Those of declared kinds are complete once Open has returned; those of
// a wildcard come and go as Refresh finds kinds.
type Watches struct {
	kinds map[schema.GroupVersionKind]*kindWatches
	order []*informercache.Watch
	names []informercache.Target
	wild  *wildcard // nil without a wildcard
}

type kindWatches struct {
	scoped       map[string]*informercache.Watch // by namespace; "" is the cluster
	metadataOnly bool
	observed     []informercache.Path
	indexes      []informercache.Index
}

// GVKOf turns a kind of the ABI into client-go's form.
func GVKOf(k *abi.Kind) schema.GroupVersionKind {
	if k == nil {
		return schema.GroupVersionKind{}
	}
	if isAny(k) {
		return AnyKind
	}
	gv, err := schema.ParseGroupVersion(k.APIVersion)
	if err != nil {
		return schema.GroupVersionKind{Group: "?", Version: k.APIVersion, Kind: k.Kind}
	}
	return gv.WithKind(k.Kind)
}

// FieldsOf turns field paths of the ABI into the host's form.
func FieldsOf(in []abi.FieldPath) []subscribe.Field {
	out := make([]subscribe.Field, 0, len(in))
	for i := range in {
		out = append(out, subscribe.Field{Path: pathOf(&in[i]), MapKey: in[i].MapKey})
	}
	return out
}

func pathOf(p *abi.FieldPath) informercache.Path {
	numbers := make([]int32, len(p.Numbers))
	for i, n := range p.Numbers {
		numbers[i] = int32(n) //nolint:gosec // field numbers stay below 2^29
	}
	return informercache.Path{Numbers: numbers, Name: p.Name}
}

// Open starts or joins the watches that a controller declares. The kinds of a
// wildcard are found by d, when the caller first waits for them.
func Open(cache *informercache.Cache, d Discovery, c *abi.Controller) *Watches {
	w := &Watches{kinds: map[schema.GroupVersionKind]*kindWatches{}, wild: newWildcard(cache, d, c)}
	if p := c.Primary; p != nil {
		w.open(cache, &abi.KindRead{Kind: p.Kind, Namespaces: p.Namespaces, Observed: p.Observed, Encoding: p.Encoding}, true)
	}
	for i := range c.Reads {
		r := &c.Reads[i]
		if isAny(r.Kind) {
			continue
		}
		w.open(cache, r, slices.ContainsFunc(c.Reads, func(o abi.KindRead) bool { return !o.MetadataOnly && GVKOf(o.Kind) == GVKOf(r.Kind) }))
	}
	if c.Virtual != nil {
		for i := range c.Virtual.Mappings {
			if _, ok := w.kinds[GVKOf(c.Virtual.Mappings[i].Kind)]; !ok {
				w.open(cache, &abi.KindRead{Kind: c.Virtual.Mappings[i].Kind}, true)
			}
		}
	}
	return w
}

// open opens the watches of one declared read; whole says that another one of the
// kind asks for more than metadata.
func (w *Watches) open(cache *informercache.Cache, r *abi.KindRead, whole bool) {
	gvk := GVKOf(r.Kind)
	var demand informercache.Demand
	for i := range r.Observed {
		demand.Observed = append(demand.Observed, pathOf(&r.Observed[i]))
	}
	for i := range r.Indexes {
		if p := r.Indexes[i].Path; p != nil {
			demand.Indexes = append(demand.Indexes, informercache.Index{
				Name: r.Indexes[i].Name, Path: pathOf(p), Type: informercache.FieldType(r.Indexes[i].Type), //nolint:gosec // a small enumeration
			})
		}
	}
	k := w.kinds[gvk]
	if k == nil {
		k = &kindWatches{scoped: map[string]*informercache.Watch{}, metadataOnly: r.MetadataOnly && !whole}
		w.kinds[gvk] = k
	}
	if len(demand.Observed) > 0 {
		k.observed = demand.Observed
	}
	k.indexes = append(k.indexes, demand.Indexes...)
	namespaces := r.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for _, ns := range namespaces {
		t := informercache.Target{GVK: gvk, Namespace: ns, MetadataOnly: k.metadataOnly}
		watch := cache.Watch(t, demand)
		w.order = append(w.order, watch)
		w.names = append(w.names, t)
		k.scoped[ns] = watch
	}
}

// Release gives all watches back.
func (w *Watches) Release() {
	for _, watch := range w.order {
		watch.Release()
	}
	if w.wild != nil {
		w.wild.release()
	}
}

// WaitForSync waits until every watch has its first list. Kinds of a wildcard
// are waited for until the bound is over: one that fails delays no other for longer.
func (w *Watches) WaitForSync(ctx context.Context, bound time.Duration) error {
	for i, watch := range w.order {
		if err := watch.WaitForSync(ctx); err != nil {
			return fmt.Errorf("cannot wait for %s: %w", w.names[i].GVK.Kind, err)
		}
	}
	if w.wild != nil {
		return w.wild.waitForSync(ctx, bound)
	}
	return nil
}

// Level brings every watch level with the API server, and those of a wildcard as
// far as that succeeds within the bound.
func (w *Watches) Level(ctx context.Context, bound time.Duration) error {
	for i, watch := range w.order {
		if err := watch.Level(ctx); err != nil {
			return fmt.Errorf("cannot bring %s level: %w", w.names[i].GVK.Kind, err)
		}
	}
	if w.wild != nil {
		return w.wild.level(ctx, bound)
	}
	return nil
}

// Waiting says, a line each, which watches are not in sync yet and why.
func (w *Watches) Waiting() []string {
	var out []string
	for i, watch := range w.order {
		out = appendWaiting(out, w.names[i], watch)
	}
	for _, k := range w.wild.all() {
		out = appendWaiting(out, k.watch.Target(), k.watch)
	}
	return out
}

func appendWaiting(out []string, t informercache.Target, watch *informercache.Watch) []string {
	s := watch.Status()
	if s.Phase == informercache.Synced {
		return out
	}
	return append(out, cmp.Or(s.Message, t.String()+": "+string(s.Phase)))
}

// Names reports whether the manifest names a kind, in this version.
func (w *Watches) Names(gvk schema.GroupVersionKind) bool { return w.kinds[gvk] != nil }

// Declares reports whether changes of the target are among these watches', as
// those of a kind that was named.
func (w *Watches) Declares(t informercache.Target) bool {
	k := w.kinds[t.GVK]
	if k == nil || k.metadataOnly != t.MetadataOnly {
		return false
	}
	_, ok := k.scoped[t.Namespace]
	return ok
}

// Finds reports whether changes of the target are among these watches', as those
// of a kind that discovery found.
func (w *Watches) Finds(t informercache.Target) bool {
	return t.MetadataOnly && t.Namespace == "" && w.wild.of(t.GVK) != nil
}

// Covers reports whether changes of the target are among these watches'.
func (w *Watches) Covers(t informercache.Target) bool { return w.Declares(t) || w.Finds(t) }

// Has reports whether a kind is watched, in this version, anywhere.
func (w *Watches) Has(gvk schema.GroupVersionKind) bool {
	return w.kinds[gvk] != nil || w.wild.of(gvk) != nil
}

func (w *Watches) metadataOnly(gvk schema.GroupVersionKind) bool {
	if k := w.kinds[gvk]; k != nil {
		return k.metadataOnly
	}
	return w.wild.of(gvk) != nil
}

// For gives the watch that holds a kind's objects of a namespace, nil if none does.
func (w *Watches) For(gvk schema.GroupVersionKind, namespace string) *informercache.Watch {
	k := w.kinds[gvk]
	if k == nil {
		if found := w.wild.of(gvk); found != nil {
			return found.watch
		}
		return nil
	}
	if watch := k.scoped[""]; watch != nil {
		return watch
	}
	return k.scoped[namespace]
}

// Index gives the declaration of an index, nil if the controller has none of
// that name for the kind.
func (w *Watches) Index(gvk schema.GroupVersionKind, name string) *informercache.Index {
	if k := w.kinds[gvk]; k != nil {
		for i := range k.indexes {
			if k.indexes[i].Name == name {
				return &k.indexes[i]
			}
		}
	}
	return nil
}

// Observed gives the times at which the kind's observed fields were last seen
// to change in an object, in the manifest's order.
func (w *Watches) Observed(gvk schema.GroupVersionKind, o *informercache.Object) []int64 {
	k := w.kinds[gvk]
	if k == nil {
		return nil
	}
	out := make([]int64, len(k.observed))
	for i, p := range k.observed {
		if t, ok := o.Observed(p); ok {
			out[i] = t.UnixNano()
		}
	}
	return out
}

// Get reads one object, nil if it is absent.
func (w *Watches) Get(gvk schema.GroupVersionKind, namespace, name string) *informercache.Object {
	watch := w.For(gvk, namespace)
	if watch == nil {
		return nil
	}
	return watch.Get(namespace, name)
}

// List reads the objects of a kind that a query selects.
func (w *Watches) List(gvk schema.GroupVersionKind, q informercache.Query) []*informercache.Object {
	if watch := w.For(gvk, q.Namespace); watch != nil {
		return watch.List(q)
	}
	k := w.kinds[gvk]
	if k == nil || q.Namespace != "" {
		return nil
	}
	var out []*informercache.Object
	for _, watch := range k.scoped {
		out = append(out, watch.List(q)...)
	}
	slices.SortFunc(out, func(a, b *informercache.Object) int {
		if c := strings.Compare(a.Namespace(), b.Namespace()); c != 0 {
			return c
		}
		return strings.Compare(a.Name(), b.Name())
	})
	return out
}
