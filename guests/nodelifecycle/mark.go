package main

import (
	"slices"
	"strconv"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// conditionTaints is which taint goes with which status of a condition.
var conditionTaints = []struct{ condition, status, taint string }{
	{corev1.NodeReady, corev1.ConditionFalse, corev1.TaintNodeNotReady},
	{corev1.NodeReady, corev1.ConditionUnknown, corev1.TaintNodeUnreachable},
	{corev1.NodeMemoryPressure, corev1.ConditionTrue, corev1.TaintNodeMemoryPressure},
	{corev1.NodeDiskPressure, corev1.ConditionTrue, corev1.TaintNodeDiskPressure},
	{corev1.NodeNetworkUnavailable, corev1.ConditionTrue, corev1.TaintNodeNetworkUnavailable},
	{corev1.NodePIDPressure, corev1.ConditionTrue, corev1.TaintNodePIDPressure},
}

// mark gives a node the taints and labels that it should have, but for the taint
// that drives Pods away: at what pace nodes get that is decided for all of them
// (see keepZones). It reports whether there was something to write.
func (n *node) mark(r *sdk.Reconcile) bool {
	taints := n.withoutTaints(func(t corev1.Taint) bool { return !n.wanted(t) })
	removed := len(taints) < n.spec.TaintsLen()
	now := metav1.NewTime(r.Now())
	added := n.missing(taints, now)
	labels := n.missingLabels()
	if !removed && len(added) == 0 && len(labels) == 0 {
		return false
	}
	var list []corev1.Taint
	if removed || len(added) > 0 {
		list = slices.Concat(taints, added)
	}
	r.Patch(kindNode, "", n.meta.Name(), sdk.MergePatch, nodePatch(n.meta.ResourceVersion(), labels, removed || len(added) > 0, list))
	return true
}

// wanted reports whether a taint that the node has may stay.
func (n *node) wanted(t corev1.Taint) bool {
	switch t.Effect() {
	case corev1.TaintEffectNoExecute:
		return !slices.Contains(driving, t.Key()) || n.drives(t.Key())
	case corev1.TaintEffectNoSchedule:
		if t.Key() == corev1.TaintNodeUnschedulable {
			return n.spec.Unschedulable()
		}
		for _, ct := range conditionTaints {
			if ct.taint != t.Key() {
				continue
			}
			c, ok := n.condition(ct.condition)
			return ok && c.Status() == ct.status
		}
	}
	return true
}

// driving is the taints that drive Pods away from a node that is not ready.
var driving = []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable}

// drives reports whether that one of them may stay on the node: each belongs to
// one status, and a node that says nothing of its readiness keeps what it has.
func (n *node) drives(key string) bool {
	want, known := n.drivingTaint()
	return !known || key == want
}

// drivingTaint is the one of them that the node should have, empty for none, and
// whether that is known.
func (n *node) drivingTaint() (key string, known bool) {
	switch n.ready.Status() {
	case corev1.ConditionTrue:
		return "", true
	case corev1.ConditionFalse:
		return corev1.TaintNodeNotReady, true
	case corev1.ConditionUnknown:
		return corev1.TaintNodeUnreachable, true
	}
	return "", false
}

// driven reports whether the node has one of them.
func (n *node) driven() bool {
	return slices.ContainsFunc(driving, func(key string) bool { return n.hasTaint(key, corev1.TaintEffectNoExecute) })
}

func (n *node) hasTaint(key, effect string) bool {
	return hasTaint(slices.Collect(n.spec.Taints()), key, effect)
}

// missing is the taints that the node should have and has not: those that keep new
// Pods away, and where one that drives Pods away goes since the status has changed,
// that in its place.
func (n *node) missing(has []corev1.Taint, now metav1.Time) []corev1.Taint {
	var out []corev1.Taint
	add := func(key, effect string) {
		if !hasTaint(has, key, effect) {
			out = append(out, newTaint(key, effect, now))
		}
	}
	for _, ct := range conditionTaints {
		if c, ok := n.condition(ct.condition); ok && c.Status() == ct.status {
			add(ct.taint, corev1.TaintEffectNoSchedule)
		}
	}
	if n.spec.Unschedulable() {
		add(corev1.TaintNodeUnschedulable, corev1.TaintEffectNoSchedule)
	}
	if want, _ := n.drivingTaint(); want != "" && n.driven() {
		add(want, corev1.TaintEffectNoExecute)
	}
	return out
}

// withoutTaints is the node's taints but those that go.
func (n *node) withoutTaints(goes func(corev1.Taint) bool) []corev1.Taint {
	return slices.DeleteFunc(slices.Collect(n.spec.Taints()), goes)
}

func newTaint(key, effect string, now metav1.Time) corev1.Taint {
	return corev1.Taint(nil).WithKey(key).WithEffect(effect).WithTimeAdded(now)
}

func hasTaint(taints []corev1.Taint, key, effect string) bool {
	return slices.ContainsFunc(taints, func(t corev1.Taint) bool { return t.Key() == key && t.Effect() == effect })
}

// betaLabels go with the labels that they had before those.
var betaLabels = []struct{ label, beta string }{
	{"kubernetes.io/os", "beta.kubernetes.io/os"},
	{"kubernetes.io/arch", "beta.kubernetes.io/arch"},
}

// missingLabels is the older labels that are not what the newer ones say, as pairs.
func (n *node) missingLabels() [][2]string {
	var out [][2]string
	for _, l := range betaLabels {
		want, ok := n.meta.Labels().Get(l.label)
		if has, there := n.meta.Labels().Get(l.beta); ok && (!there || has != want) {
			out = append(out, [2]string{l.beta, want})
		}
	}
	return out
}

// nodePatch sets labels and, if asked to, all taints, of the version that was read.
func nodePatch(version string, labels [][2]string, setTaints bool, taints []corev1.Taint) []byte {
	b := strconv.AppendQuote([]byte(`{"metadata":{"resourceVersion":`), version)
	for i, l := range labels {
		if i == 0 {
			b = append(b, `,"labels":{`...)
		} else {
			b = append(b, ',')
		}
		b = strconv.AppendQuote(append(strconv.AppendQuote(b, l[0]), ':'), l[1])
	}
	if len(labels) > 0 {
		b = append(b, '}')
	}
	b = append(b, '}')
	if setTaints {
		b = append(appendTaints(append(b, `,"spec":{"taints":`...), taints), '}')
	}
	return append(b, '}')
}

// appendTaints writes taints as JSON. What stands in them was checked by the API
// server: it needs no escaping beyond Go's.
func appendTaints(b []byte, taints []corev1.Taint) []byte {
	if len(taints) == 0 {
		return append(b, "null"...)
	}
	for i, t := range taints {
		b = append(b, "[,"[min(i, 1)])
		b = strconv.AppendQuote(append(b, `{"key":`...), t.Key())
		if t.Value() != "" {
			b = strconv.AppendQuote(append(b, `,"value":`...), t.Value())
		}
		b = strconv.AppendQuote(append(b, `,"effect":`...), t.Effect())
		if t.HasTimeAdded() {
			b = appendTime(append(b, `,"timeAdded":`...), t.TimeAdded())
		}
		b = append(b, '}')
	}
	return append(b, ']')
}
