package loop

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/loopdock/loopdock/abi"
)

// metrics are those of controller-runtime under its names, and our own.
type metrics struct {
	reconciles *prometheus.CounterVec
	errors     *prometheus.CounterVec
	terminal   *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	active     *prometheus.GaugeVec
	workers    *prometheus.GaugeVec
	guest      *prometheus.HistogramVec
	parked     *prometheus.HistogramVec
	overdue    *prometheus.CounterVec
	waiting    *prometheus.GaugeVec
	subscribed *prometheus.GaugeVec
	subBytes   *prometheus.GaugeVec
	reads      *prometheus.CounterVec
	own        *samples
}

// results are the values of controller_runtime_reconcile_total's result label.
var results = []string{"success", "error", "requeue_after"}

func newMetrics(r prometheus.Registerer, c *Controller) (*metrics, error) {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	gauge := func(name, help string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, []string{"controller"})
	}
	histogram := func(name, help string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(0.0001, 3, 14),
		}, []string{"controller"})
	}
	m := &metrics{
		reconciles: counter("controller_runtime_reconcile_total", "Reconciles per controller and result.", "controller", "result"),
		errors:     counter("controller_runtime_reconcile_errors_total", "Failed reconciles per controller.", "controller"),
		terminal:   counter("controller_runtime_terminal_reconcile_errors_total", "Reconciles that failed for good, per controller.", "controller"),
		seconds:    histogram("controller_runtime_reconcile_time_seconds", "Time from taking a key to its last write."),
		active:     gauge("controller_runtime_active_workers", "Workers that are reconciling."),
		workers:    gauge("controller_runtime_max_concurrent_reconciles", "Workers of the controller."),
		guest:      histogram("loopdock_guest_call_seconds", "Time inside the guest per reconcile, its reads included."),
		parked:     histogram("loopdock_parked_seconds", "How long keys waited for the cache to show their own writes."),
		overdue:    counter("loopdock_parked_overdue_total", "Times that a parked key was found waiting beyond the bound.", "controller"),
		waiting:    gauge("loopdock_parked_keys", "Keys that wait for the cache to show their own writes."),
		subscribed: gauge("loopdock_subscriptions", "Distinct reads that changes are held against."),
		subBytes:   gauge("loopdock_subscription_bytes", "Memory that subscriptions take, estimated."),
		reads:      counter("loopdock_reads_total", "Queries of guests.", "controller", "type", "source"),
		own:        newSamples(r, c.Name),
	}
	for _, err := range []error{
		share(r, &m.reconciles), share(r, &m.errors), share(r, &m.terminal), share(r, &m.seconds), share(r, &m.active),
		share(r, &m.workers), share(r, &m.guest), share(r, &m.parked), share(r, &m.overdue), share(r, &m.reads),
		share(r, &m.waiting), share(r, &m.subscribed), share(r, &m.subBytes),
	} {
		if err != nil {
			return nil, err
		}
	}
	for _, result := range results {
		m.reconciles.WithLabelValues(c.Name, result).Add(0)
	}
	m.errors.WithLabelValues(c.Name).Add(0)
	m.workers.WithLabelValues(c.Name).Set(float64(c.Workers))
	return m, nil
}

// gauges takes stock of what the controller holds.
func (c *Controller) gauges() {
	s := c.reads.Stats()
	c.metrics.waiting.WithLabelValues(c.Name).Set(float64(c.parked.count()))
	c.metrics.subscribed.WithLabelValues(c.Name).Set(float64(s.Reads))
	c.metrics.subBytes.WithLabelValues(c.Name).Set(float64(s.Bytes))
}

// share registers a collector, or takes the equal one that another controller
// has registered.
func share[T prometheus.Collector](r prometheus.Registerer, c *T) error {
	err := r.Register(*c)
	already := prometheus.AlreadyRegisteredError{}
	if errors.As(err, &already) {
		existing, ok := already.ExistingCollector.(T)
		if !ok {
			return err
		}
		*c = existing
		return nil
	}
	return err
}

func (m *metrics) result(controller, result string) {
	m.reconciles.WithLabelValues(controller, result).Inc()
}

func (m *metrics) took(controller string, d time.Duration) {
	m.seconds.WithLabelValues(controller).Observe(d.Seconds())
}

// CountRead counts one query of the guest.
func (c *Controller) CountRead(t abi.QueryType, live bool, _ int) {
	source := "cache"
	if live {
		source = "live"
	}
	c.metrics.reads.WithLabelValues(c.Name, readNames[t], source).Inc()
}

var readNames = map[abi.QueryType]string{
	abi.QueryTypeGet: "get", abi.QueryTypeList: "list", abi.QueryTypeOwner: "owner",
	abi.QueryTypeDiscovery: "discovery", abi.QueryTypeMemo: "memo",
}
