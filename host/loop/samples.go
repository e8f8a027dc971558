package loop

import (
	"log/slog"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/loopdock/loopdock/abi"
)

// samples are the metrics that a guest declares and reports. They are named
// loopdock_guest_<controller>_<name>.
type samples struct {
	r          prometheus.Registerer
	controller string
	mu         sync.Mutex
	counters   map[string]*prometheus.CounterVec
	gauges     map[string]*prometheus.GaugeVec
	histograms map[string]*prometheus.HistogramVec
	labels     map[string]int
}

func newSamples(r prometheus.Registerer, controller string) *samples {
	return &samples{
		r: r, controller: controller, counters: map[string]*prometheus.CounterVec{},
		gauges: map[string]*prometheus.GaugeVec{}, histograms: map[string]*prometheus.HistogramVec{}, labels: map[string]int{},
	}
}

// declare registers the metrics of a manifest that are not registered yet.
func (m *metrics) declare(manifest *abi.Controller) {
	s := m.own
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range manifest.Metrics {
		d := &manifest.Metrics[i]
		if _, known := s.labels[d.Name]; known {
			continue
		}
		s.labels[d.Name] = len(d.Labels)
		name := "loopdock_guest_" + strings.ReplaceAll(s.controller, "-", "_") + "_" + d.Name
		switch d.Type {
		case abi.MetricTypeCounter:
			v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: d.Help}, d.Labels)
			if share(s.r, &v) == nil {
				s.counters[d.Name] = v
			}
		case abi.MetricTypeGauge:
			v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: d.Help}, d.Labels)
			if share(s.r, &v) == nil {
				s.gauges[d.Name] = v
			}
		case abi.MetricTypeHistogram:
			v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: d.Help, Buckets: d.Buckets}, d.Labels)
			if share(s.r, &v) == nil {
				s.histograms[d.Name] = v
			}
		}
	}
}

// samples takes in what a reconcile reported. A sample that was not declared is
// logged and left out.
func (m *metrics) samples(in []abi.Sample, log *slog.Logger) {
	s := m.own
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range in {
		d := &in[i]
		if n, ok := s.labels[d.Name]; !ok || n != len(d.Labels) {
			log.Warn("guest reported a metric that its manifest does not declare with these labels", "metric", d.Name, "labels", len(d.Labels))
			continue
		}
		if v := s.counters[d.Name]; v != nil && d.Value >= 0 {
			v.WithLabelValues(d.Labels...).Add(d.Value)
		} else if v := s.gauges[d.Name]; v != nil {
			v.WithLabelValues(d.Labels...).Set(d.Value)
		} else if v := s.histograms[d.Name]; v != nil {
			v.WithLabelValues(d.Labels...).Observe(d.Value)
		}
	}
}
