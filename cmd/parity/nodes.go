package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// beatEvery is how often a played node renews its lease; kubelet's is ten seconds.
const beatEvery = 5 * time.Second

// leaseNamespace is where nodes renew their leases.
const leaseNamespace = "kube-node-lease"

// healthy is what a node in good health reports.
var healthy = []condition{{"Ready", "True"}, {"MemoryPressure", "False"}, {"DiskPressure", "False"}, {"PIDPressure", "False"}}

type condition struct{ kind, status string }

// node makes a node that reports its health, in a zone of its own: steps play
// its kubelet. Its name begins with the scenario's.
func node(name string) step {
	return step{"node " + name + " joins", func(ctx context.Context, st *stage) error {
		if err := bareNode(name).do(ctx, st); err != nil {
			return err
		}
		// What a registration alone brings about is over before the first report.
		if err := st.settle(ctx, stepQuiet); err != nil {
			return err
		}
		lease := `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: %s, namespace: kube-node-lease}
spec: {holderIdentity: %[1]s, leaseDurationSeconds: 40, renewTime: %q}`
		if _, err := st.create(ctx, fmt.Sprintf(lease, st.node(name), microNow())); err != nil {
			return err
		}
		return st.back(ctx, name)
	}}
}

// bareNode makes a node that reports nothing.
func bareNode(name string) step {
	return step{"node " + name + " is registered", func(ctx context.Context, st *stage) error {
		_, err := st.create(ctx, fmt.Sprintf(`apiVersion: v1
kind: Node
metadata:
  name: %s
  labels: {kubernetes.io/os: linux, kubernetes.io/arch: amd64, topology.kubernetes.io/zone: %s}`, st.node(name), st.name))
		return err
	}}
}

// lose has a node report nothing any more.
func lose(name string) step {
	return step{"node " + name + " is lost", func(_ context.Context, st *stage) error {
		st.mu.Lock()
		defer st.mu.Unlock()
		if cancel := st.beats[name]; cancel != nil {
			cancel()
		}
		return nil
	}}
}

// back has a lost node report again that it is in good health.
func back(name string) step {
	return step{"node " + name + " is back", func(ctx context.Context, st *stage) error { return st.back(ctx, name) }}
}

func (st *stage) back(ctx context.Context, name string) error {
	beat, cancel := context.WithCancel(ctx)
	st.mu.Lock()
	if st.beats == nil {
		st.beats = map[string]context.CancelFunc{}
	}
	st.beats[name] = cancel
	st.mu.Unlock()
	st.playing.Go(func() { // end waits
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			body := fmt.Appendf(nil, `{"spec":{"renewTime":%q}}`, microNow())
			// One beat that gets lost is no reason to stop.
			_, _ = st.dynamic.Resource(resources["leases"]).Namespace(leaseNamespace).
				Patch(beat, st.node(name), types.MergePatchType, body, metav1.PatchOptions{})
			select {
			case <-beat.Done():
				return
			case <-tick.C:
			}
		}
	})
	return report(name, healthy...).do(ctx, st)
}

// report has a node report conditions; all that it does not name are healthy.
func report(name string, conditions ...condition) step {
	return step{fmt.Sprintf("node %s reports %v", name, conditions), func(ctx context.Context, st *stage) error {
		at := metav1.Now().UTC().Format(time.RFC3339)
		var list []any
		for _, c := range merge(healthy, conditions) {
			list = append(list, map[string]any{
				"type": c.kind, "status": c.status, "reason": "Played", "message": "as the scenario says",
				"lastHeartbeatTime": at, "lastTransitionTime": at,
			})
		}
		body, err := json.Marshal(map[string]any{"status": map[string]any{"conditions": list}})
		if err != nil {
			return err
		}
		_, err = st.of("nodes").Patch(ctx, st.node(name), types.MergePatchType, body, metav1.PatchOptions{}, "status")
		return err
	}}
}

// registered waits until the controller has taken note of a node, which it tells
// by an Event.
func registered(name string) step {
	return step{"until node " + name + " is registered", func(ctx context.Context, st *stage) error {
		// Events of what has no namespace are in default.
		events := st.dynamic.Resource(resources["events"]).Namespace(metav1.NamespaceDefault)
		return st.await(ctx, patience, func(ctx context.Context) (bool, error) {
			list, err := events.List(ctx, metav1.ListOptions{FieldSelector: "reason=RegisteredNode,involvedObject.name=" + st.node(name)})
			return err == nil && len(list.Items) > 0, err
		})
	}}
}

// merge gives base with what more says otherwise or adds.
func merge(base, more []condition) []condition {
	out := append([]condition{}, base...)
	for _, m := range more {
		found := false
		for i := range out {
			if out[i].kind == m.kind {
				out[i], found = m, true
			}
		}
		if !found {
			out = append(out, m)
		}
	}
	return out
}

// node is a played node's full name.
func (st *stage) node(name string) string { return st.name + scopeMark + name }

func microNow() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000000Z") }
