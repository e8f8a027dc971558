package reads

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/informercache"
)

// AnyKind stands for every kind: subscriptions to reads across kinds are kept
// under it.
var AnyKind = schema.GroupVersionKind{Group: "*", Version: "*", Kind: "*"}

// Found is an object and its kind, where several kinds are read at once.
type Found struct {
	GVK      schema.GroupVersionKind
	Resource schema.GroupResource
	Object   *informercache.Object
}

// wildcard is the metadata-only watches of every kind that discovery finds. A
// kind that can't be listed waits alone: the others serve reads without it.
type wildcard struct {
	cache     *informercache.Cache
	discovery Discovery
	verbs     []string // that a resource must support
	except    []string // "resource.group"

	mu        sync.RWMutex
	kinds     map[schema.GroupVersionKind]*wildKind
	resources map[schema.GroupResource]*wildKind
	gone      goneObjects
	released  bool
}

// wildKind is one kind, in the version that the API server prefers.
type wildKind struct {
	gvk        schema.GroupVersionKind
	resource   schema.GroupResource
	namespaced bool
	watch      *informercache.Watch
}

// errNothing is what a discovery without any kind comes to: it is broken, since no
// API server serves nothing.
var errNothing = errors.New("cannot find what the API server serves: discovery names no kind that can be watched")

// levelWidth is how many kinds are brought level at once.
const levelWidth = 8

// uidIndex finds an object of any kind by its UID.
var uidIndex = informercache.Index{Name: "uid", Path: informercache.Path{Numbers: []int32{1, 5}, Name: "metadata.uid"}}

// newWildcard makes the watches that a controller's wildcard asks for, nil if it
// asks for none. It watches nothing before the first refresh.
func newWildcard(cache *informercache.Cache, d Discovery, c *abi.Controller) *wildcard {
	reads := slices.ContainsFunc(c.Reads, func(r abi.KindRead) bool { return isAny(r.Kind) })
	if c.Wildcard == nil && !reads {
		return nil
	}
	w := &wildcard{
		cache: cache, discovery: d, verbs: []string{"list", "watch"},
		kinds: map[schema.GroupVersionKind]*wildKind{}, resources: map[schema.GroupResource]*wildKind{},
	}
	w.gone = newGoneObjects(rememberGone)
	if c.Wildcard != nil {
		w.verbs = append(w.verbs, c.Wildcard.Verbs...)
		w.except = c.Wildcard.Except
	}
	return w
}

func isAny(k *abi.Kind) bool { return k != nil && k.Kind == "*" && k.APIVersion == "*" }

// Shift is how the kinds of a wildcard have changed.
type Shift struct {
	// Added and Removed are the kinds that have come and gone.
	Added, Removed []schema.GroupVersionKind
	// Left is what was held of the kinds that have gone.
	Left []Found
}

// refresh looks at discovery, and begins and ends watches accordingly. The kinds
// of API groups that do not answer stay.
func (w *wildcard) refresh(ctx context.Context) (Shift, error) {
	var out Shift
	served, failed, err := w.discovery.Served(ctx)
	if err != nil {
		return out, fmt.Errorf("cannot find what the API server serves: %w", err)
	}
	wanted := w.wanted(served)
	if len(wanted) == 0 {
		return out, errNothing
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.released {
		return out, nil
	}
	for gvk, k := range w.kinds {
		now, ok := wanted[k.resource]
		if ok && now.gvk == gvk || !ok && slices.Contains(failed, gvk.GroupVersion().String()) {
			continue
		}
		for _, o := range k.watch.List(informercache.Query{}) {
			out.Left = append(out.Left, Found{gvk, k.resource, o})
		}
		out.Removed = append(out.Removed, gvk)
		k.watch.Release()
		delete(w.kinds, gvk)
		delete(w.resources, k.resource)
	}
	for r, k := range wanted {
		if w.resources[r] != nil || w.kinds[k.gvk] != nil {
			continue
		}
		k.watch = w.cache.Watch(informercache.Target{GVK: k.gvk, MetadataOnly: true}, informercache.Demand{Indexes: []informercache.Index{uidIndex}})
		w.kinds[k.gvk], w.resources[r] = k, k
		out.Added = append(out.Added, k.gvk)
	}
	return out, nil
}

// wanted picks the resources to watch, each in its preferred version, or in the
// group's first version that has it.
func (w *wildcard) wanted(served []abi.ServedResource) map[schema.GroupResource]*wildKind {
	out := map[schema.GroupResource]*wildKind{}
	for i := range served {
		s := &served[i]
		r := schema.GroupResource{Group: s.Group, Resource: s.Resource}
		if (out[r] != nil && !s.Preferred) || slices.Contains(w.except, r.String()) || !w.supports(s) {
			continue
		}
		out[r] = &wildKind{
			gvk: schema.GroupVersionKind{Group: s.Group, Version: s.Version, Kind: s.Kind}, resource: r, namespaced: s.Namespaced,
		}
	}
	return out
}

// supports also leaves subresources out: they can't be listed.
func (w *wildcard) supports(s *abi.ServedResource) bool {
	return !slices.ContainsFunc(w.verbs, func(verb string) bool { return !slices.Contains(s.Verbs, verb) })
}

// of gives a kind, nil if it is not watched.
func (w *wildcard) of(gvk schema.GroupVersionKind) *wildKind {
	if w == nil {
		return nil
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.kinds[gvk]
}

// serving gives the kind of a resource, nil if it is not watched.
func (w *wildcard) serving(r schema.GroupResource) *wildKind {
	if w == nil {
		return nil
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.resources[r]
}

// all gives the kinds as they are now.
func (w *wildcard) all() []*wildKind {
	if w == nil {
		return nil
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	out := make([]*wildKind, 0, len(w.kinds))
	for _, k := range w.kinds {
		out = append(out, k)
	}
	return out
}

// saw remembers objects that go, and forgets those that are there again after
// the API server was restored from a backup.
func (w *wildcard) saw(ch *informercache.Change) {
	if ch.New != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.gone.forget(ch.New.UID())
		return
	}
	owner := w.owns(ch.Old.UID())
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone.add(ch.Old.UID(), ch.Old.Namespace(), owner)
}

// owns reports whether any object names the one of a UID as an owner.
func (w *wildcard) owns(uid types.UID) bool {
	return slices.ContainsFunc(w.all(), func(k *wildKind) bool {
		return len(k.watch.List(informercache.Query{Owner: uid})) > 0
	})
}

// isGone reports whether the object of a UID was seen to go.
func (w *wildcard) isGone(uid types.UID) bool {
	if w == nil {
		return false
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	_, gone := w.gone.where(uid)
	return gone
}

// isOwnerGone reports whether the object of a UID was seen to go, and was one that
// an object in the namespace can have as its owner.
func (w *wildcard) isOwnerGone(uid types.UID, namespace string) bool {
	if w == nil {
		return false
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	was, ok := w.gone.where(uid)
	return ok && (was == "" || was == namespace)
}

// waitForSync waits until all kinds have their first list, but for those that
// have none when the bound is over.
func (w *wildcard) waitForSync(ctx context.Context, bound time.Duration) error {
	if len(w.all()) == 0 {
		if _, err := w.refresh(ctx); err != nil {
			return err
		}
	}
	bounded, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	for _, k := range w.all() {
		if err := k.watch.WaitForSync(bounded); err != nil && ctx.Err() != nil {
			return err
		}
	}
	return nil
}

// level brings the kinds that are in sync level with the API server, but for
// those for which that fails: what they lack is found out by live reads.
func (w *wildcard) level(ctx context.Context, bound time.Duration) error {
	bounded, cancel := context.WithTimeout(ctx, bound)
	defer cancel()
	var kinds errgroup.Group
	kinds.SetLimit(levelWidth)
	for _, k := range w.all() {
		if k.watch.Synced() {
			kinds.Go(func() error { _ = k.watch.Level(bounded); return nil }) // see above
		}
	}
	if err := kinds.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// release gives all watches back.
func (w *wildcard) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.released = true
	for _, k := range w.kinds {
		k.watch.Release()
	}
}
