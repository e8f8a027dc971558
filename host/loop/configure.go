package loop

import "github.com/loopdock/loopdock/abi"

// Configure hands the guest another configuration from the next reconcile on,
// and runs every key again at low priority.
func (c *Controller) Configure(config []byte) {
	c.swap.Lock()
	defer c.swap.Unlock()
	v := c.version.Load()
	v.configured.Store(&config)
	if c.status.get().Phase == Running {
		c.enqueueAll(v, abi.ReasonTypeSwap)
	}
}

// config is what the guest is configured with.
func (v *Version) config() []byte {
	if c := v.configured.Load(); c != nil {
		return *c
	}
	return v.Config
}
