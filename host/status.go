package host

import (
	"errors"
	"maps"
	"slices"

	"github.com/loopdock/loopdock/host/loop"
)

// Status is what people see of a host.
type Status struct {
	Leading     bool
	Controllers []loop.Status
	// Failed gives, by file, why a module is not docked; what ran before goes on.
	Failed map[string]string
}

// Status tells how the host and its controllers are doing.
func (h *Host) Status() Status {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := Status{Leading: h.lead != nil, Failed: maps.Clone(h.failed)}
	for _, name := range slices.Sorted(maps.Keys(h.docked)) {
		s.Controllers = append(s.Controllers, h.docked[name].loop.Status())
	}
	return s
}

// Healthy is nil unless the host should be restarted: it then believes to hold a
// lease that has long run out.
func (h *Host) Healthy() error {
	if h.elector == nil {
		return nil
	}
	return h.elector.Check(nil)
}

// Ready is nil once a module is docked or none was asked for. A standby is
// ready, and so is a host one of whose controllers waits for a kind: the others
// should not pay for it.
func (h *Host) Ready() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.docked) == 0 && len(h.cfg.Modules) > 0 {
		return errors.New("no module is docked yet")
	}
	return nil
}
