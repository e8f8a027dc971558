package sandbox

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count what guests do.
type metrics struct {
	traps     *prometheus.CounterVec
	instances *prometheus.GaugeVec
	memory    *prometheus.GaugeVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	label := []string{"controller"}
	m := &metrics{
		traps:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "loopdock_guest_traps_total", Help: "Calls that a guest ended by a trap, an exit or a broken answer."}, label),
		instances: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "loopdock_guest_instances", Help: "Live instances of the controller's module."}, label),
		memory:    prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "loopdock_guest_memory_bytes", Help: "Linear memory of the controller's module."}, label),
	}
	if r == nil {
		return m, nil
	}
	return m, errors.Join(r.Register(m.traps), r.Register(m.instances), r.Register(m.memory))
}

// called accounts for one call.
func (m *metrics) called(controller string, module *Module, err error) {
	trap := (*TrapError)(nil)
	if errors.As(err, &trap) {
		m.traps.WithLabelValues(controller).Inc()
	}
	m.instances.WithLabelValues(controller).Set(float64(module.Instances()))
	m.memory.WithLabelValues(controller).Set(float64(module.MemoryBytes()))
}
