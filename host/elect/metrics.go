package elect

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics go under the name that Kubernetes' controllers give them.
type metrics struct{ status prometheus.Gauge }

func newMetrics(reg prometheus.Registerer, name string) (*metrics, error) {
	vec := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "leader_election_master_status",
		Help: "Whether this host holds the lease: 1 if so, else 0.",
	}, []string{"name"})
	if reg != nil {
		err := reg.Register(vec)
		if before, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
			existing, ok := before.ExistingCollector.(*prometheus.GaugeVec)
			if ok {
				vec, err = existing, nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("cannot register the metrics of lease %q: %w", name, err)
		}
	}
	m := &metrics{status: vec.WithLabelValues(name)}
	m.leading(false)
	return m, nil
}

func (m *metrics) leading(yes bool) {
	v := 0.0
	if yes {
		v = 1
	}
	m.status.Set(v)
}
