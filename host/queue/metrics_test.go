package queue_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/loopdock/loopdock/host/queue"
)

// gather gives the value of each series, or its number of observations.
func gather(t *testing.T, reg prometheus.Gatherer) map[string]float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			labels := make([]string, 0, 3)
			for _, l := range m.GetLabel() {
				labels = append(labels, l.GetValue())
			}
			v := m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
			out[f.GetName()+"/"+strings.Join(labels, "/")] = v
		}
	}
	return out
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reg := prometheus.NewRegistry()
		var queues []*queue.Queue[string]
		for _, name := range []string{"a", "b"} { // they share a Registerer
			q, err := queue.New[string](queue.Config{Name: name, Registerer: reg})
			if err != nil {
				t.Fatal(err)
			}
			defer q.ShutDown()
			queues = append(queues, q)
		}
		q := queues[0]
		q.Add("x", queue.Low)
		q.Add("y", queue.Low)
		q.Add("y", queue.Normal)
		q.Add("z", queue.Normal)
		k, _ := q.Get()
		q.Done(k)
		q.Fail(k)
		if _, shutdown := q.Get(); shutdown {
			t.Fatal("the queue is shut down")
		}
		time.Sleep(time.Second) //nolint:forbidigo // the bubble's clock: the gauges are set twice a second
		synctest.Wait()
		want := map[string]float64{
			"workqueue_adds_total/a/a":                        4, // the retry is one
			"workqueue_depth/a/a/low":                         1,
			"workqueue_depth/a/a/normal":                      1,
			"workqueue_longest_running_processor_seconds/a/a": 1,
			"workqueue_queue_duration_seconds/a/a":            2,
			"workqueue_retries_total/a/a":                     1,
			"workqueue_unfinished_work_seconds/a/a":           1,
			"workqueue_work_duration_seconds/a/a":             1,
		}
		for name := range want {
			want[strings.Replace(name, "/a/a", "/b/b", 1)] = 0
		}
		if diff := cmp.Diff(want, nonzero(gather(t, reg), want)); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

// nonzero is got without zeros that nobody asked about.
func nonzero(got, want map[string]float64) map[string]float64 {
	for name, v := range got {
		if _, asked := want[name]; !asked && v == 0 {
			delete(got, name)
		}
	}
	return got
}

func TestConfigIsChecked(t *testing.T) {
	_, err := queue.New[string](queue.Config{BaseDelay: -1, MaxDelay: -2, Registerer: prometheus.NewRegistry()})
	want := []string{"negative", "below", "need a name"}
	for _, part := range want {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v does not say %q", err, part)
		}
	}
}
