package sandbox

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count what guests do.
type metrics struct {
	traps     *prometheus.CounterVec
	instances *prometheus.GaugeVec
	memory    *prometheus.GaugeVec
	fuel      *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	label := []string{"controller"}
	m := &metrics{
		traps:     prometheus.NewCounterVec(prometheus.CounterOpts{Name: "loopdock_guest_traps_total", Help: "Calls that a guest ended by a trap, an exit or a broken answer."}, label),
		instances: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "loopdock_guest_instances", Help: "Live instances of the controller."}, label),
		memory:    prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "loopdock_guest_memory_bytes", Help: "Linear memory of the controller's instances."}, label),
		fuel:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "loopdock_guest_fuel_total", Help: "Fuel that the controller's calls spent."}, label),
	}
	if r == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.traps, m.instances, m.memory, m.fuel} {
		if err := r.Register(c); err != nil {
			return nil, fmt.Errorf("cannot register the metrics of guests: %w", err)
		}
	}
	return m, nil
}

// trapped counts the errors that are the guest's.
func (m *metrics) trapped(controller string, err error) {
	if trap := (*TrapError)(nil); errors.As(err, &trap) {
		m.traps.WithLabelValues(controller).Inc()
	}
}

// spent accounts for fuel.
func (m *metrics) spent(controller string, fuel int64) {
	m.fuel.WithLabelValues(controller).Add(float64(fuel))
}

// holds accounts for instances and memory that came or, below zero, went.
// Differences, since the pools of an old and a new module share a controller's
// series for the time of a swap.
func (m *metrics) holds(controller string, instances int, memory int64) {
	if instances == 0 && memory == 0 {
		return // as nearly always
	}
	m.instances.WithLabelValues(controller).Add(float64(instances))
	m.memory.WithLabelValues(controller).Add(float64(memory))
}
