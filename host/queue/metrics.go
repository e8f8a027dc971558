package queue

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/util/workqueue"
)

// metrics are one queue's, under the names that Kubernetes' controllers give
// them.
type metrics struct {
	depth              *prometheus.GaugeVec
	adds, retries      *prometheus.CounterVec
	latency, work      *prometheus.HistogramVec
	unfinished, oldest *prometheus.GaugeVec
	name               string
}

var _ workqueue.MetricsProvider = (*metrics)(nil)

func newMetrics(reg prometheus.Registerer, name string) (*metrics, error) {
	labels := []string{"name", "controller"}
	gauge := func(name, help string, labels []string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Subsystem: "workqueue", Name: name, Help: help}, labels)
	}
	counter := func(name, help string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Subsystem: "workqueue", Name: name, Help: help}, labels)
	}
	histogram := func(name, help string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Subsystem: "workqueue", Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(10e-9, 10, 12),
		}, labels)
	}
	m := &metrics{
		name:       name,
		depth:      gauge("depth", "Keys that are ready.", []string{"name", "controller", "priority"}),
		adds:       counter("adds_total", "Keys made ready."),
		retries:    counter("retries_total", "Keys that were to come again later."),
		latency:    histogram("queue_duration_seconds", "How long keys were ready before a worker took them."),
		work:       histogram("work_duration_seconds", "How long workers had a key."),
		unfinished: gauge("unfinished_work_seconds", "How long all keys that are with workers have been there, summed up.", labels),
		oldest:     gauge("longest_running_processor_seconds", "How long the key that has been with a worker longest has been there.", labels),
	}
	if reg == nil {
		return m, nil
	}
	err := errors.Join(
		share(reg, &m.depth), share(reg, &m.adds), share(reg, &m.retries), share(reg, &m.latency),
		share(reg, &m.work), share(reg, &m.unfinished), share(reg, &m.oldest),
	)
	if err != nil {
		return nil, fmt.Errorf("cannot register the metrics of queue %q: %w", name, err)
	}
	for p := range Priority(priorities) {
		m.moved(p, 0)
	}
	return m, nil
}

// share registers a collector, or takes the one that another queue registered.
func share[C prometheus.Collector](reg prometheus.Registerer, c *C) error {
	err := reg.Register(*c)
	var before prometheus.AlreadyRegisteredError
	if !errors.As(err, &before) {
		return err
	}
	existing, ok := before.ExistingCollector.(C)
	if !ok {
		return err
	}
	*c = existing
	return nil
}

// moved counts keys that entered or left a line.
func (m *metrics) moved(p Priority, by int) {
	m.depth.WithLabelValues(m.name, m.name, p.String()).Add(float64(by))
}

// NewDepthMetric implements workqueue.MetricsProvider. The depth is counted by
// priority, which the workqueue does not know: see moved.
func (m *metrics) NewDepthMetric(string) workqueue.GaugeMetric {
	return prometheus.NewGauge(prometheus.GaugeOpts{})
}

// NewAddsMetric implements workqueue.MetricsProvider.
func (m *metrics) NewAddsMetric(name string) workqueue.CounterMetric {
	return m.adds.WithLabelValues(name, name)
}

// NewLatencyMetric implements workqueue.MetricsProvider.
func (m *metrics) NewLatencyMetric(name string) workqueue.HistogramMetric {
	return m.latency.WithLabelValues(name, name)
}

// NewWorkDurationMetric implements workqueue.MetricsProvider.
func (m *metrics) NewWorkDurationMetric(name string) workqueue.HistogramMetric {
	return m.work.WithLabelValues(name, name)
}

// NewUnfinishedWorkSecondsMetric implements workqueue.MetricsProvider.
func (m *metrics) NewUnfinishedWorkSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return m.unfinished.WithLabelValues(name, name)
}

// NewLongestRunningProcessorSecondsMetric implements workqueue.MetricsProvider.
func (m *metrics) NewLongestRunningProcessorSecondsMetric(name string) workqueue.SettableGaugeMetric {
	return m.oldest.WithLabelValues(name, name)
}

// NewRetriesMetric implements workqueue.MetricsProvider.
func (m *metrics) NewRetriesMetric(name string) workqueue.CounterMetric {
	return m.retries.WithLabelValues(name, name)
}
