package host_test

import (
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/cmd/plane"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/elect"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

// replicas is how many Pods the ReplicaSet of these tests has.
const replicas = 30

// contender is one of several hosts that stand for the same lease.
type contender struct {
	*hosttest.Running
	wire *hosttest.Wire
	// renewals counts how often it has written the lease.
	renewals atomic.Int64
}

func stand(t *testing.T, p *plane.Plane, namespace, name, module string) *contender {
	t.Helper()
	config := planetest.Config(t, p)
	c := &contender{wire: hosttest.NewWire(config)}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return tripper(func(req *http.Request) (*http.Response, error) {
			resp, err := next.RoundTrip(req)
			if err == nil && req.Method == http.MethodPut && filepath.Base(filepath.Dir(req.URL.Path)) == "leases" {
				c.renewals.Add(1)
			}
			return resp, err
		})
	})
	c.Running = hosttest.Run(t, name, host.Config{
		REST: config, Modules: []string{module},
		Election: &elect.Config{
			Namespace: namespace, Name: "loopdock", Identity: name,
			LeaseDuration: 3 * time.Second, RenewDeadline: 1500 * time.Millisecond, RetryPeriod: 200 * time.Millisecond,
		},
		Controllers: map[string]host.ControllerConfig{"replicaset": {MaxBackOff: time.Second}},
	})
	return c
}

type tripper func(*http.Request) (*http.Response, error)

func (f tripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// failover is a stage on which a leader has gone in the middle of creating Pods,
// of which the standby's cache shows none.
type failover struct {
	client    kubernetes.Interface
	namespace string
	pods      *hosttest.Pods
	standby   *contender
}

func failOver(t *testing.T, goes func(leader *contender)) *failover {
	t.Helper()
	p := planetest.Start(t, plane.Config{}) // each host sees all namespaces
	config := planetest.Config(t, p)
	f := &failover{client: clientOf(t, config), namespace: planetest.NamespaceIn(t, config)}
	f.pods = hosttest.WatchPods(t, f.client, f.namespace)
	module := filepath.Join(t.TempDir(), "replicaset.wasm")
	hosttest.Put(t, module, hosttest.ReplicaSet(t, "v1"))

	leader := stand(t, p, f.namespace, "leader", module)
	hosttest.Eventually(t, "the first host runs", func() bool { return leader.Controller("replicaset").Phase == loop.Running })
	f.standby = stand(t, p, f.namespace, "standby", module)
	hosttest.Eventually(t, "the second host's caches are filled", func() bool {
		c := f.standby.Controller("replicaset")
		return c.Name != "" && len(c.Waiting) == 0
	})
	f.standby.wire.Hold("pods")

	hosttest.CreateReplicaSet(t, f.client, f.namespace, "web", replicas)
	hosttest.Eventually(t, "some Pods are created", func() bool { return f.pods.Created("web") > replicas/4 })
	goes(leader)
	hosttest.Eventually(t, "the second host leads", func() bool { return f.standby.Status().Leading })
	return f
}

// waits checks that the standby, though it leads, does nothing while its cache is
// behind: for some renewals of the lease.
func (f *failover) waits(t *testing.T) {
	t.Helper()
	f.pods.Settle(t)
	there, begun := f.pods.Created("web"), f.standby.renewals.Load()
	hosttest.Eventually(t, "the lease is renewed a few times", func() bool {
		if c := f.standby.Controller("replicaset"); c.Phase != loop.Waiting {
			t.Fatalf("the controller is %s though its cache is behind", c.Phase)
		}
		return f.standby.renewals.Load() > begun+5
	})
	f.pods.Settle(t)
	if n := f.pods.Created("web"); n != there {
		t.Errorf("%d Pods were created meanwhile", n-there)
	}
}

// TestFailoverWithoutDuplicates: a new leader's cache does not show what the
// former one has created, and it creates nothing twice all the same.
func TestFailoverWithoutDuplicates(t *testing.T) {
	stops := func(leader *contender) { leader.Stop(t) }
	dies := func(leader *contender) { leader.wire.Sever() }
	for name, tc := range map[string]struct {
		goes    func(*contender)
		catchUp func(*hosttest.Wire)
	}{
		"the leader stops, the watch is late":       {goes: stops, catchUp: func(w *hosttest.Wire) { w.Pass("pods") }},
		"the leader is cut off, the watch is late":  {goes: dies, catchUp: func(w *hosttest.Wire) { w.Pass("pods") }},
		"the leader is cut off, the watch is lost":  {goes: dies, catchUp: func(w *hosttest.Wire) { w.Pass("pods"); w.Expire("pods") }},
		"the leader stops, the watch stays stalled": {goes: stops},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := failOver(t, tc.goes)
			f.waits(t)
			if tc.catchUp == nil {
				return
			}
			tc.catchUp(f.standby.wire)
			f.pods.WaitAlive(t, hosttest.Patience, "web", replicas)
			if err := hosttest.Scale(t.Context(), f.client, f.namespace, "web", replicas+5); err != nil {
				t.Fatal(err)
			}
			f.pods.WaitAlive(t, hosttest.Patience, "web", replicas+5)
			f.pods.Settle(t)
			f.pods.Want(t, "web", replicas+5, replicas+5, replicas+5)
		})
	}
}
