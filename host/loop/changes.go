package loop

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

// Changed implements informercache.Subscriber: it finds the keys that a change
// concerns. It runs on the watch's goroutine and must be prompt.
func (c *Controller) Changed(ch informercache.Change) {
	v := c.version.Load()
	gvk := ch.Target.GVK
	declared, found := v.Watches.Declares(ch.Target), v.Watches.Finds(ch.Target)
	if !declared && !found {
		return
	}
	reason := reasonOf(gvk, &ch)
	if declared {
		c.declaredChanged(v, gvk, &ch, reason)
	}
	if found {
		c.foundChanged(v, gvk, &ch, reason)
	}
	c.released(gvk, false)
}

// declaredChanged follows a change of a kind that the manifest names.
func (c *Controller) declaredChanged(v *Version, gvk schema.GroupVersionKind, ch *informercache.Change, reason abi.Reason) {
	if v.Manifest.Primary != nil && gvk == v.primary {
		c.primaryChanged(v, ch, reason)
	}
	for i := range v.mappings {
		if m := &v.mappings[i]; m.gvk == gvk && subscribe.Differs(m.wakes, ch.Old, ch.New) {
			c.virtualChanged(m, ch, reason)
		}
	}
	c.reads.Woken(gvk, ch.Old, ch.New, func(k Key) { c.wake(k, ch, reason, queue.Normal) })
	c.wakeDependents(v, gvk, ch, reason)
}

// Progressed implements informercache.Subscriber.
func (c *Controller) Progressed(t informercache.Target, version string, relisted bool) {
	if c.version.Load().Watches.Covers(t) {
		c.released(t.GVK, c.came.back(t, version, relisted))
	}
}

func (c *Controller) primaryChanged(v *Version, ch *informercache.Change, reason abi.Reason) {
	o := ch.New
	if o == nil {
		o = ch.Old
	}
	if !v.selects(o) && (ch.Old == nil || !v.selects(ch.Old)) {
		return
	}
	k := Key{Namespace: o.Namespace(), Name: o.Name()}
	switch {
	case ch.Old != nil && ch.New != nil && ch.Old.UID() == ch.New.UID() && ch.Old.Generation() != ch.New.Generation():
		c.changed(k, ch, reason)
		c.queue().AddNow(k)
	case ch.Initial:
		c.wake(k, ch, reason, queue.Low)
	case subscribe.Differs(v.wakes, ch.Old, ch.New):
		c.wake(k, ch, reason, queue.Normal)
	}
}

func (c *Controller) virtualChanged(m *mapping, ch *informercache.Change, reason abi.Reason) {
	for _, o := range []*informercache.Object{ch.Old, ch.New} {
		if o == nil {
			continue
		}
		for _, k := range m.keys(c.Name, o) {
			c.wake(k, ch, reason, queue.Normal)
		}
	}
}

// keys gives the virtual keys that an object maps to.
func (m *mapping) keys(controller string, o *informercache.Object) []Key {
	switch m.rule {
	case abi.KeyRuleSingleton:
		return []Key{{Name: controller}}
	case abi.KeyRuleNamespace:
		if o.Namespace() == "" {
			return []Key{{Name: o.Name()}}
		}
		return []Key{{Name: o.Namespace()}}
	case abi.KeyRuleField:
		var out []Key
		for _, value := range m.field.Values(o) {
			if value != "" { // the field is absent
				out = append(out, Key{Namespace: o.Namespace(), Name: value})
			}
		}
		return out
	case abi.KeyRuleObject:
		return []Key{{Namespace: o.Namespace(), Name: o.Name()}}
	default:
		return nil
	}
}

// wakeDependents wakes the keys whose objects name the changed one as an owner.
func (c *Controller) wakeDependents(v *Version, gvk schema.GroupVersionKind, ch *informercache.Change, reason abi.Reason) {
	owner := ch.New
	if owner == nil {
		owner = ch.Old
	}
	for i := range v.owners {
		o := &v.owners[i]
		if o.gvk != gvk || ch.New != nil && (o.deleted || !subscribe.Differs(o.wakes, ch.Old, ch.New)) {
			continue
		}
		reason.Type = abi.ReasonTypeOwner
		for _, k := range v.dependents(owner.UID()) {
			c.wake(k, ch, reason, queue.Normal)
		}
		return
	}
}

func reasonOf(gvk schema.GroupVersionKind, ch *informercache.Change) abi.Reason {
	o := ch.New
	t := abi.ReasonTypeUpdated
	switch {
	case ch.New == nil:
		o, t = ch.Old, abi.ReasonTypeDeleted
	case ch.Initial:
		t = abi.ReasonTypeInitial
	case ch.Old == nil:
		t = abi.ReasonTypeAdded
	}
	return abi.Reason{
		Type: t, Namespace: o.Namespace(), Name: o.Name(),
		Kind: &abi.Kind{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind},
	}
}
