package loop

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

// passes reports whether a wildcard's filters make a key of an object.
func (v *Version) passes(o *informercache.Object) bool {
	return o != nil && slices.ContainsFunc(v.Manifest.Wildcard.Filters, func(f abi.WildcardFilter) bool {
		return (!f.HasOwners || len(o.Owners()) > 0) &&
			(!f.Terminating || o.Terminating()) &&
			(f.Finalizer == "" || slices.Contains(o.Finalizers(), f.Finalizer))
	})
}

// wildKey is the wildcard key of an object.
func wildKey(f reads.Found) Key {
	return Key{Resource: f.Resource, Namespace: f.Object.Namespace(), Name: f.Object.Name(), UID: f.Object.UID()}
}

// wildObject gives a wildcard key's object and its kind, nil if it is gone, was
// replaced by another one of its name, or passes no filter.
func (v *Version) wildObject(k Key) (schema.GroupVersionKind, *informercache.Object) {
	gvk, ok := v.Watches.Serving(k.Resource)
	if !ok {
		return gvk, nil
	}
	o := v.Watches.Get(gvk, k.Namespace, k.Name)
	if o == nil || o.UID() != k.UID || !v.passes(o) {
		return gvk, nil
	}
	return gvk, o
}

// foundChanged follows a change of a kind that discovery found.
func (c *Controller) foundChanged(v *Version, gvk schema.GroupVersionKind, ch *informercache.Change, reason abi.Reason) {
	v.Watches.Saw(ch)
	if definesKinds(gvk) && !ch.Initial {
		select {
		case c.kinds <- struct{}{}:
		default:
		}
	}
	if v.Manifest.Wildcard != nil {
		c.wildChanged(v, gvk, ch, reason)
	}
	wake := func(k Key) { c.wake(k, ch, reason, queue.Normal) }
	c.reads.Woken(reads.AnyKind, ch.Old, ch.New, wake)
	if !v.Watches.Names(gvk) {
		c.reads.Woken(gvk, ch.Old, ch.New, wake)
	}
	c.wakeDependents(v, reads.AnyKind, ch, reason)
}

// wildChanged wakes the key that a wildcard makes of the changed object.
func (c *Controller) wildChanged(v *Version, gvk schema.GroupVersionKind, ch *informercache.Change, reason abi.Reason) {
	was, is := v.passes(ch.Old), v.passes(ch.New)
	o := ch.New
	if o == nil {
		o = ch.Old
	}
	switch {
	case !was && !is:
	case ch.Initial:
		c.wake(wildKey(v.Watches.Found(gvk, o)), ch, reason, queue.Low)
	case was != is || subscribe.Differs(v.wakes, ch.Old, ch.New):
		c.wake(wildKey(v.Watches.Found(gvk, o)), ch, reason, queue.Normal)
	}
}

// enqueueFound queues the wildcard keys of objects at low priority.
func (c *Controller) enqueueFound(v *Version, found []reads.Found, t abi.ReasonType) {
	for _, f := range found {
		if v.passes(f.Object) {
			c.enqueue(wildKey(f), abi.Reason{Type: t})
		}
	}
}

// definesKinds reports whether objects of a kind define what the API server serves.
func definesKinds(gvk schema.GroupVersionKind) bool {
	return gvk.Group == "apiextensions.k8s.io" && gvk.Kind == "CustomResourceDefinition" ||
		gvk.Group == "apiregistration.k8s.io" && gvk.Kind == "APIService"
}

// Knows reports whether the caches of a controller with a wildcard hold an object
// of that UID, or one that names it as an owner.
func (c *Controller) Knows(uid types.UID) bool {
	w := c.version.Load().Watches
	return w.Wild() && w.Knows(uid)
}
