package main

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// The states of a zone.
const (
	stateInitial byte = iota
	stateNormal
	statePartial // many of its nodes are not ready
	stateFull    // none of them is
)

// zoneMetrics are upstream's.
var zoneMetrics = []sdk.Metric{
	{Name: "zone_size", Help: "Number of registered nodes of a zone.", Type: abi.MetricTypeGauge, Labels: []string{"zone"}},
	{Name: "zone_health", Help: "Percentage of a zone's nodes that are ready.", Type: abi.MetricTypeGauge, Labels: []string{"zone"}},
	{Name: "unhealthy_nodes_in_zone", Help: "Number of a zone's nodes that are not ready.", Type: abi.MetricTypeGauge, Labels: []string{"zone"}},
	{Name: "evictions_total", Help: "Number of nodes that were tainted so that their Pods go.", Type: abi.MetricTypeCounter, Labels: []string{"zone"}},
}

// census is what is counted in a zone.
type census struct {
	ready, unready int
	next           *node // of those that are not ready and don't drive their Pods away yet, the one that has waited longest
}

func (c *census) size() int { return c.ready + c.unready }

// state is what the counts come to.
func (c *census) state(set settings) byte {
	switch {
	case c.ready == 0 && c.unready > 0:
		return stateFull
	case c.unready > 2 && float64(c.unready)/float64(c.size()) >= set.unhealthy:
		return statePartial
	}
	return stateNormal
}

// keepZones decides at what pace nodes that are not ready drive their Pods away:
// slower where much of a zone is out, since then the fault is rather the network's,
// and not at all where no node of the cluster is ready.
func keepZones(r *sdk.Reconcile, set settings) error {
	m := decodeZones(r.Memo())
	if r.Continues() {
		return account(r, set, m)
	}
	bodies, err := sdk.List[corev1.Node](r, sdk.Query{Kind: kindNode, Wakes: zoneWakes})
	if err != nil {
		return err
	}
	zones, nodes := count(bodies)
	if i := slices.IndexFunc(nodes, func(n *node) bool { return n.meta.Name() == controllerName }); i >= 0 {
		r.Error("cannot keep a node that has this controller's name; give it another one", "node", controllerName)
	}
	observe(r, &m, zones)
	if m.disrupt(r.Now(), set, zones) {
		release(r, nodes)
	} else {
		drive(r, set, &m, zones)
	}
	r.SetMemo(m.encode(r.Now(), set))
	return nil
}

// account looks at what became of the patches, those of drive by the zones that
// they were for, and has the zones looked at anew. What failed is done again: a
// zone gets its token back, and a release is due as long as no zone is said to be
// out.
func account(r *sdk.Reconcile, set settings, m zoneMemory) error {
	results := r.Results()
	tainted := strings.Split(string(r.Continuation()), "\n")
	for i := range results {
		switch {
		case len(r.Continuation()) > 0 && results[i].OK():
			r.Observe("evictions_total", 1, tainted[i])
		case len(r.Continuation()) > 0:
			m.zone(tainted[i], set).next = time.Time{}
		case results[i].Failed():
			for _, z := range m.zones {
				z.state = stateInitial
			}
		}
	}
	r.SetMemo(m.encode(r.Now(), set))
	r.RequeueAfter(0)
	return sdk.Failures("cannot taint nodes", results)
}

// count takes the census of each zone.
func count(bodies []corev1.Node) (map[string]*census, []*node) {
	zones := map[string]*census{}
	nodes := make([]*node, 0, len(bodies))
	for _, body := range bodies {
		n := newNode(body)
		nodes = append(nodes, n)
		zone := zones[n.zone()]
		if zone == nil {
			zone = &census{}
			zones[n.zone()] = zone
		}
		switch {
		case n.meta.Labels().Has(labelExcluded):
		case n.ready.Status() == corev1.ConditionTrue:
			zone.ready++
		default:
			zone.unready++
		}
		// The taint that keeps new Pods away comes first, from the node's own key, so
		// that the two don't write at the same time.
		if want, _ := n.drivingTaint(); n.hasTaint(want, corev1.TaintEffectNoSchedule) && !n.driven() {
			zone.next = earlier(zone.next, n)
		}
	}
	return zones, nodes
}

// earlier is the node that has been in its state of readiness for longer.
func earlier(a, b *node) *node {
	if a == nil || b.ready.LastTransitionTime().Time().Before(a.ready.LastTransitionTime().Time()) {
		return b
	}
	return a
}

// release takes the taints that drive Pods away off all nodes.
func release(r *sdk.Reconcile, nodes []*node) {
	batch := r.Batch(sdk.Parallel)
	for _, n := range nodes {
		if !n.driven() {
			continue
		}
		rest := n.withoutTaints(func(t corev1.Taint) bool {
			return t.Effect() == corev1.TaintEffectNoExecute && slices.Contains(driving, t.Key())
		})
		batch.Patch(kindNode, "", n.meta.Name(), sdk.MergePatch, nodePatch(n.meta.ResourceVersion(), nil, true, rest)).Tolerate(sdk.NotFound)
	}
	r.Continue(nil)
}

// drive taints the nodes whose turn it is, and comes back for the next.
func drive(r *sdk.Reconcile, set settings, m *zoneMemory, zones map[string]*census) {
	now := metav1.NewTime(r.Now())
	batch := r.Batch(sdk.Parallel)
	var tainted []string
	for _, name := range slices.Sorted(maps.Keys(zones)) {
		n := zones[name].next
		if n == nil {
			continue
		}
		z := m.zone(name, set)
		if z.take(r.Now()) {
			want, _ := n.drivingTaint()
			taints := append(slices.Collect(n.spec.Taints()), newTaint(want, corev1.TaintEffectNoExecute, now))
			batch.Patch(kindNode, "", n.meta.Name(), sdk.MergePatch, nodePatch(n.meta.ResourceVersion(), nil, true, taints)).Tolerate(sdk.NotFound)
			tainted = append(tainted, name)
		} else if at, ok := z.due(); ok {
			r.RequeueAfter(at.Sub(r.Now()))
		}
	}
	if len(tainted) > 0 {
		r.Continue([]byte(strings.Join(tainted, "\n")))
	}
}

// observe reports how the zones are, and forgets those that have no nodes any more.
func observe(r *sdk.Reconcile, m *zoneMemory, zones map[string]*census) {
	report := func(name string, size, unready int, health float64) {
		r.Observe("zone_size", float64(size), name)
		r.Observe("zone_health", health, name)
		r.Observe("unhealthy_nodes_in_zone", float64(unready), name)
	}
	for _, name := range m.names() {
		if zones[name] == nil {
			report(name, 0, 0, 100)
			delete(m.zones, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(zones)) {
		// Where all nodes are left out of the count there is nothing to report.
		if zone := zones[name]; zone.size() > 0 {
			report(name, zone.size(), zone.unready, float64(100*zone.ready)/float64(zone.size()))
		}
	}
}

// resumedAt is when the cluster last came back from a time at which no node was
// ready: all nodes count as heard of then.
func resumedAt(r *sdk.Reconcile) (time.Time, error) {
	memo, err := r.MemoOf("", controllerName)
	return decodeZones(memo).resumed, err
}
