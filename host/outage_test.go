package host_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/cmd/plane"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

const (
	// outage is how long the API server is away.
	outage = 30 * time.Second
	// recovery bounds the time from its return until all is as it should be.
	recovery = 60 * time.Second

	sets  = 4  // ReplicaSets that grow, and as many that shrink
	least = 10 // Pods
	most  = 60
)

// scaler changes how many Pods ReplicaSets want, step by step, whether the API
// server is there or not.
type scaler struct {
	client    kubernetes.Interface
	namespace string
	ended     sync.WaitGroup
}

// scale goes from one number to another in steps of 5, and tries again what
// fails.
func (s *scaler) scale(t *testing.T, name string, from, to int) {
	t.Helper()
	ctx := t.Context()
	s.ended.Go(func() { // waited for by the test
		for n := from; n != to; {
			if n < to {
				n = min(n+5, to)
			} else {
				n = max(n-5, to)
			}
			for hosttest.Scale(ctx, s.client, s.namespace, name, n) != nil && ctx.Err() == nil {
				wait, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
				<-wait.Done()
				cancel()
			}
		}
	})
}

// TestOutage: the API server dies under load, for long enough that every
// connection, watch and back-off has seen it, and comes back.
func TestOutage(t *testing.T) {
	t.Parallel()
	p := planetest.Start(t, plane.Config{})
	config := planetest.Config(t, p)
	client := clientOf(t, config)
	s := &scaler{client: client, namespace: planetest.NamespaceIn(t, config)}
	pods := hosttest.WatchPods(t, client, s.namespace)
	h := hosttest.Run(t, "host", host.Config{
		REST:        config,
		Controllers: map[string]host.ControllerConfig{"replicaset": {MaxBackOff: 5 * time.Second}},
	})
	if err := h.Dock(t.Context(), "replicaset.wasm", hosttest.ReplicaSet(t, "v1")); err != nil {
		t.Fatal(err)
	}
	grows := func(i int) string { return fmt.Sprintf("grows-%d", i) }
	shrinks := func(i int) string { return fmt.Sprintf("shrinks-%d", i) }
	for i := range sets {
		hosttest.CreateReplicaSet(t, client, s.namespace, grows(i), least)
		hosttest.CreateReplicaSet(t, client, s.namespace, shrinks(i), most)
	}
	for i := range sets {
		pods.WaitAlive(t, hosttest.Patience, grows(i), least)
		pods.WaitAlive(t, hosttest.Patience, shrinks(i), most)
	}

	for i := range sets {
		s.scale(t, grows(i), least, most)
		s.scale(t, shrinks(i), most, least)
	}
	hosttest.Eventually(t, "Pods come and go", func() bool { return pods.Created(grows(0)) > least && pods.Alive(shrinks(0)) < most })
	if err := p.StopAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	hosttest.Throughout(t, outage, "the host stays, and so does its controller", func() bool {
		return !h.Ended() && h.Controller("replicaset").Phase == loop.Running
	})
	if err := p.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	back := time.Now() //nolint:forbidigo // a real server's time
	s.ended.Wait()
	settled := func() bool {
		for i := range sets {
			if pods.Alive(grows(i)) != most || pods.Alive(shrinks(i)) != least {
				return false
			}
		}
		return true
	}
	defer func() {
		if t.Failed() {
			list, err := client.CoreV1().Pods(s.namespace).List(context.WithoutCancel(t.Context()), metav1.ListOptions{})
			t.Logf("%d Pods, %v; the controller is %+v", len(list.Items), err, h.Controller("replicaset"))
			for i := range sets {
				for _, name := range []string{grows(i), shrinks(i)} {
					rs, err := client.AppsV1().ReplicaSets(s.namespace).Get(context.WithoutCancel(t.Context()), name, metav1.GetOptions{})
					t.Logf("%s: %d Pods, %d ever; generation %d, %v; status %+v", name, pods.Alive(name), pods.Created(name), rs.Generation, err, rs.Status)
				}
			}
		}
	}()
	hosttest.EventuallyWithin(t, recovery, "every ReplicaSet has its Pods", settled)
	t.Logf("%v after the return of the API server all was as it should be", time.Since(back).Round(time.Millisecond)) //nolint:forbidigo // a real server's time
	hosttest.Eventually(t, "nothing waits any more", func() bool {
		c := h.Controller("replicaset")
		return c.Parked == 0 && c.Queued == 0 && len(c.Waiting) == 0 && c.LastError == ""
	})
	pods.Settle(t)
	for i := range sets {
		pods.Want(t, grows(i), most, most, most)
		pods.Want(t, shrinks(i), least, most, most)
	}
}
