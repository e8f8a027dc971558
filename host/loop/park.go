package loop

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
)

// parking holds the keys whose own writes the caches have not seen yet.
type parking struct {
	mu    sync.Mutex
	keys  map[Key]*wait
	kinds map[schema.GroupVersionKind]map[Key]struct{}
}

// wait is what a parked key waits for.
type wait struct {
	since   time.Time
	overdue time.Time
	writes  []writer.Write
}

// park holds a key until the caches have seen the writes. It is called by the
// key's worker, before the worker gives the key back.
func (c *Controller) park(v *Version, k Key, writes []writer.Write) {
	pending := c.unseen(v, writes)
	if len(pending) == 0 {
		return
	}
	now := c.Clock.Now()
	c.queue().Park(k)
	c.parked.mu.Lock()
	c.parked.keys[k] = &wait{since: now, overdue: now.Add(c.ParkBound), writes: pending}
	waited := map[schema.GroupVersionKind]struct{}{}
	for i := range pending {
		gvk := pending[i].GVK
		waited[gvk] = struct{}{}
		if c.parked.kinds[gvk] == nil {
			c.parked.kinds[gvk] = map[Key]struct{}{}
		}
		c.parked.kinds[gvk][k] = struct{}{}
	}
	c.parked.mu.Unlock() // from here on the writes are those of released
	// The change may have come between the look above and the note.
	for gvk := range waited {
		c.released(gvk, false)
	}
}

// unseen gives the writes that the caches have not seen yet.
func (c *Controller) unseen(v *Version, writes []writer.Write) []writer.Write {
	var out []writer.Write
	for i := range writes {
		if !c.seen(v, &writes[i]) {
			out = append(out, writes[i])
		}
	}
	return out
}

// seen reports whether the cache shows a write and whom it concerns was told of it,
// or whether the cache can never show it. Were it enough that the cache shows it, the
// key could go on before its own write wakes it, and run once more in vain.
func (c *Controller) seen(v *Version, w *writer.Write) bool {
	watch := v.Watches.For(w.GVK, w.Namespace)
	if watch == nil {
		return true
	}
	if w.Deleted {
		o := watch.Get(w.Namespace, w.Name)
		return o == nil || (w.UID != "" && string(o.UID()) != w.UID) || (o.Terminating() && !w.Gone)
	}
	return w.ResourceVersion == "" || watch.Reached(w.ResourceVersion) && c.came.to(watch.Target(), w.ResourceVersion)
}

// released lets go the keys that waited for a kind and need not any more. Where
// the API server has gone back in time all need not: their writes are undone.
func (c *Controller) released(gvk schema.GroupVersionKind, undone bool) {
	v := c.version.Load()
	var free []Key
	c.parked.mu.Lock()
	for k := range c.parked.kinds[gvk] {
		w := c.parked.keys[k]
		rest := w.writes[:0]
		here := false
		for i := range w.writes {
			mine := w.writes[i].GVK == gvk
			if mine && (undone || c.seen(v, &w.writes[i])) {
				continue
			}
			here = here || mine
			rest = append(rest, w.writes[i])
		}
		w.writes = rest
		if !here {
			delete(c.parked.kinds[gvk], k)
		}
		if len(rest) == 0 {
			delete(c.parked.keys, k)
			free = append(free, k)
			c.metrics.parked.WithLabelValues(c.Name).Observe(c.Clock.Since(w.since).Seconds())
		}
	}
	c.parked.mu.Unlock()
	for _, k := range free {
		c.queue().Unpark(k)
	}
}

// versions are those that the watches have come to, as the controller was told.
type versions struct {
	mu      sync.Mutex
	highest map[informercache.Target]string
}

// back notes a version, and reports whether a list is older than what its watch
// had come to: the API server was restored from a backup. A list that is merely
// older than a write is no such thing: it was taken before the write.
func (v *versions) back(t informercache.Target, version string, relisted bool) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	before := v.highest[t]
	v.highest[t] = version
	if !relisted || before == "" {
		return false
	}
	order, err := resourceversion.CompareResourceVersion(version, before)
	return err == nil && order < 0
}

// to reports whether the controller was told of a version. Of a watch that it was
// told nothing of yet, it has been told all by the first list.
func (v *versions) to(t informercache.Target, version string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	highest := v.highest[t]
	if highest == "" {
		return true
	}
	order, err := resourceversion.CompareResourceVersion(highest, version)
	return err != nil || order >= 0
}

// reportOverdue warns of keys that have been parked longer than the bound. They
// stay parked: a key never runs on a cache that lacks its own writes.
func (c *Controller) reportOverdue() {
	now := c.Clock.Now()
	c.parked.mu.Lock()
	defer c.parked.mu.Unlock()
	for k, w := range c.parked.keys {
		if now.Before(w.overdue) {
			continue
		}
		w.overdue = now.Add(c.ParkBound)
		c.metrics.overdue.WithLabelValues(c.Name).Inc()
		c.Logger.Warn("cache is behind this key's own writes; the key waits", "key", k.String(),
			"kind", w.writes[0].GVK.Kind, "version", w.writes[0].ResourceVersion, "for", now.Sub(w.since).String())
	}
}

// count is the number of parked keys.
func (p *parking) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.keys)
}

func newParking() parking {
	return parking{keys: map[Key]*wait{}, kinds: map[schema.GroupVersionKind]map[Key]struct{}{}}
}

// waitedFor gives the kinds that parked keys wait for.
func (p *parking) waitedFor() map[schema.GroupVersionKind]struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := map[schema.GroupVersionKind]struct{}{}
	for gvk := range p.kinds {
		out[gvk] = struct{}{}
	}
	return out
}
