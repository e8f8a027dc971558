package informercache

import "github.com/prometheus/client_golang/prometheus"

// metrics reads the watches when it is asked, so that a watch that ends takes
// its metrics along. Targets of one kind are added up.
type metrics struct{ cache *Cache }

var (
	objectsDesc = prometheus.NewDesc("loopdock_cache_objects",
		"Objects held, by kind.", []string{"kind"}, nil)
	bytesDesc = prometheus.NewDesc("loopdock_cache_bytes",
		"Bytes that the objects held take, about, by kind.", []string{"kind"}, nil)
	syncedDesc = prometheus.NewDesc("loopdock_cache_synced",
		"1 if all watches of the kind follow the server, otherwise 0.", []string{"kind"}, nil)
	watchesDesc = prometheus.NewDesc("loopdock_cache_watches_total",
		"Watch requests begun, by kind: one at first, and one for each restart.", []string{"kind"}, nil)
	listsDesc = prometheus.NewDesc("loopdock_cache_lists_total",
		"Whole contents taken from the server, by kind: one at first, and one for each relist.", []string{"kind"}, nil)
)

type kindFigures struct {
	objects, bytes, watches, lists float64
	synced                         bool
}

// Describe implements prometheus.Collector.
func (m metrics) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{objectsDesc, bytesDesc, syncedDesc, watchesDesc, listsDesc} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (m metrics) Collect(to chan<- prometheus.Metric) {
	kinds := map[string]*kindFigures{}
	for _, w := range m.cache.all() {
		name := kindName(w.target.GVK)
		k := kinds[name]
		if k == nil {
			k = &kindFigures{synced: true}
			kinds[name] = k
		}
		count, bytes := w.store.figures()
		k.objects += float64(count)
		k.bytes += float64(bytes)
		k.watches += float64(w.watches.Load())
		k.lists += float64(w.relists.Load())
		k.synced = k.synced && w.status.get().Phase == Synced
	}
	for name, k := range kinds {
		synced := 0.0
		if k.synced {
			synced = 1
		}
		to <- prometheus.MustNewConstMetric(objectsDesc, prometheus.GaugeValue, k.objects, name)
		to <- prometheus.MustNewConstMetric(bytesDesc, prometheus.GaugeValue, k.bytes, name)
		to <- prometheus.MustNewConstMetric(syncedDesc, prometheus.GaugeValue, synced, name)
		to <- prometheus.MustNewConstMetric(watchesDesc, prometheus.CounterValue, k.watches, name)
		to <- prometheus.MustNewConstMetric(listsDesc, prometheus.CounterValue, k.lists, name)
	}
}

func (s *store) figures() (count int, bytes int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.core.count, s.core.bytes
}
