package loop

import (
	"context"
	"fmt"

	"github.com/loopdock/loopdock/abi"
)

// Swap puts another version in the running one's place, between two reconciles
// of each key: it waits for the new version's caches, switches, runs every key
// again at low priority, and closes the old version after its last reconcile.
// On an error the running version stays and the new one is the caller's to close.
func (c *Controller) Swap(ctx context.Context, v *Version) error {
	c.swap.Lock()
	defer c.swap.Unlock()
	if err := v.prepare(); err != nil {
		return err
	}
	old := c.version.Load()
	if !old.sameKeys(v) {
		return fmt.Errorf("cannot swap controller %s: the new version has another primary kind; undock it and dock it again", c.Name)
	}
	if c.status.get().Phase == Running {
		if err := ready(ctx, v, c.level); err != nil {
			return err
		}
	}
	c.metrics.declare(v.Manifest)
	c.version.Store(v)
	if c.status.get().Phase == Running {
		for gvk := range c.parked.waitedFor() {
			c.released(gvk, false)
		}
		c.enqueueAll(v, abi.ReasonTypeSwap)
	}
	old.inflight.retire()
	old.Close()
	return nil
}

// Close gives back what the controller holds. Run has ended, or never began.
func (c *Controller) Close() { c.version.Load().Close() }
