package elect_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host/elect"
)

func TestMain(m *testing.M) { planetest.Main(m) }

// TestTwoHosts hands a real Lease from one host to another, without the wait
// that a lease has to run out.
func TestTwoHosts(t *testing.T) {
	conn := planetest.Shared(t)
	namespace := planetest.Namespace(t)
	client, err := kubernetes.NewForConfig(conn)
	if err != nil {
		t.Fatal(err)
	}
	registries := map[string]*prometheus.Registry{"a": prometheus.NewRegistry(), "b": prometheus.NewRegistry()}
	var hosts sync.WaitGroup
	var mu sync.Mutex
	var order []string
	led := make(chan struct{})
	first, stopFirst := context.WithCancel(t.Context())
	begin := func(ctx context.Context, id string, then func()) {
		e, err := elect.New(elect.Config{
			REST: conn, Namespace: namespace, Name: "host", Identity: id, Registerer: registries[id], RetryPeriod: 100 * time.Millisecond,
			LeaseDuration: time.Hour, RenewDeadline: time.Minute,
		})
		if err != nil {
			t.Fatal(err)
		}
		hosts.Go(func() {
			err := e.Run(ctx, func(ctx context.Context) {
				mu.Lock()
				order = append(order, id)
				mu.Unlock()
				if e.Fence().Allowed() != nil || e.Check(nil) != nil {
					t.Errorf("host %s leads: fence %v, health %v", id, e.Fence().Allowed(), e.Check(nil))
				}
				then()
				<-ctx.Done()
			})
			if err != nil {
				t.Errorf("host %s: %v", id, err)
			}
		})
	}
	second, stopSecond := context.WithCancel(t.Context())
	begin(first, "a", func() { close(led) })
	<-led
	begin(second, "b", stopSecond)
	lease, err := client.CoordinationV1().Leases(namespace).Get(t.Context(), "host", metav1.GetOptions{})
	if err != nil || *lease.Spec.HolderIdentity != "a" {
		t.Errorf("%v: the lease is %+v", err, lease.Spec)
	}
	if got := status(t, registries["a"]); got != 1 {
		t.Errorf("leader_election_master_status = %v, want 1", got)
	}
	stopFirst()
	hosts.Wait()
	if got := strings.Join(order, " "); got != "a b" {
		t.Errorf("order %q", got)
	}
	lease, err = client.CoordinationV1().Leases(namespace).Get(t.Context(), "host", metav1.GetOptions{})
	if err != nil || *lease.Spec.HolderIdentity != "" {
		t.Errorf("%v: the lease is %+v", err, lease.Spec)
	}
}

func status(t *testing.T, reg prometheus.Gatherer) float64 {
	t.Helper()
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "leader_election_master_status" && m.GetLabel()[0].GetValue() == "host" {
				return m.GetGauge().GetValue()
			}
		}
	}
	return -1
}
