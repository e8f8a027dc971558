package loop

import (
	"context"
	"fmt"

	"github.com/loopdock/loopdock/abi"
)

// Prepare does all of a swap that can fail: it checks the new version and waits
// for its caches, where the controller runs. On an error the new version is the
// caller's to close.
func (c *Controller) Prepare(ctx context.Context, v *Version) error {
	c.swap.Lock()
	defer c.swap.Unlock()
	return c.prepare(ctx, v)
}

func (c *Controller) prepare(ctx context.Context, v *Version) error {
	if v.ready {
		return nil
	}
	if err := v.prepare(); err != nil {
		return err
	}
	if !c.version.Load().sameKeys(v) {
		return fmt.Errorf("cannot swap controller %s: the new version has another primary kind; undock it and dock it again", c.Name)
	}
	if c.status.get().Phase != Running {
		return nil // the run that comes waits
	}
	ctx, cancel := context.WithTimeout(ctx, c.SwapBound)
	defer cancel()
	if err := ready(ctx, v, c.level, c.SwapBound/4); err != nil {
		return fmt.Errorf("cannot swap controller %s: %w", c.Name, err)
	}
	v.ready = true
	return nil
}

// Swap puts another version in the running one's place, between two reconciles
// of each key: it prepares the new version if Prepare has not, switches, runs
// every key again at low priority, and closes the old version after its last
// reconcile. On an error the running version stays and the new one is the
// caller's to close.
func (c *Controller) Swap(ctx context.Context, v *Version) error {
	c.swap.Lock()
	defer c.swap.Unlock()
	if err := c.prepare(ctx, v); err != nil {
		return err
	}
	old := c.version.Load()
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
