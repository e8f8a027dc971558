package host

import (
	"encoding/json"
	"fmt"
	"maps"
)

// Configure gives a docked controller another configuration, as JSON, from its
// next reconcile on; it stays over later swaps. All its keys run again.
func (h *Host) Configure(controller string, config []byte) error {
	if !json.Valid(config) {
		return fmt.Errorf("cannot configure controller %s: the configuration is not JSON", controller)
	}
	h.dock.Lock()
	defer h.dock.Unlock()
	d := h.controller(controller)
	if d == nil {
		return fmt.Errorf("cannot configure controller %s: it is not docked", controller)
	}
	controllers := maps.Clone(h.cfg.Controllers)
	if controllers == nil {
		controllers = map[string]ControllerConfig{}
	}
	c := controllers[controller]
	c.Config = config
	controllers[controller] = c
	h.cfg.Controllers = controllers
	d.loop.Configure(config)
	return nil
}
