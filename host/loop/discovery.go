package loop

import (
	"context"
	"time"

	"github.com/loopdock/loopdock/abi"
)

// How often the API server is asked what it serves: now and then, and often for
// a while after a definition of kinds has changed, since it is served some time
// after it is written.
const (
	kindsPeriod = 30 * time.Second
	kindsHurry  = time.Second
	hurryFor    = 15 * time.Second
)

// followDiscovery keeps the watches of a wildcard in step with discovery.
func (c *Controller) followDiscovery(ctx context.Context) {
	due := c.Clock.Now().Add(kindsPeriod)
	var hurryUntil time.Time
	for {
		timer := c.Clock.NewTimer(due.Sub(c.Clock.Now()))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-c.kinds:
			timer.Stop()
			now := c.Clock.Now()
			hurryUntil = now.Add(hurryFor)
			if soon := now.Add(kindsHurry); soon.Before(due) {
				due = soon
			}
			continue
		case <-timer.C():
		}
		c.refreshKinds(ctx)
		due = c.Clock.Now().Add(kindsPeriod)
		if c.Clock.Now().Before(hurryUntil) {
			due = c.Clock.Now().Add(kindsHurry)
		}
	}
}

// refreshKinds looks at discovery once, and queues what comes and goes with a kind.
func (c *Controller) refreshKinds(ctx context.Context) {
	v := c.version.Load()
	if !v.inflight.enter() {
		return // just swapped: the next look is at its successor
	}
	defer v.inflight.leave()
	if !v.Watches.Wild() {
		return
	}
	shift, err := v.Watches.Refresh(ctx)
	if err != nil {
		c.Logger.Warn("kinds that come or go are not noticed; trying again", "err", err.Error())
		return
	}
	for _, gvk := range shift.Removed {
		c.released(gvk, false) // nothing shows writes to it any more
	}
	if v.Manifest.Wildcard == nil {
		return
	}
	for _, gvk := range shift.Added { // what another controller's watch holds already is not told again
		c.enqueueFound(v, v.Watches.InKind(gvk), abi.ReasonTypeInitial)
	}
	c.enqueueFound(v, shift.Left, abi.ReasonTypeDeleted)
}
