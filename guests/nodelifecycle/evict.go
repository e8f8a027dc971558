package main

import (
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// tolerationWakes is what eviction depends on of the Pods of a node.
var tolerationWakes = sdk.Fields(
	corev1.PodFields.Spec().NodeName(),
	corev1.PodFields.Spec().Tolerations(),
	corev1.PodFields.Metadata().DeletionTimestamp(),
)

// evict deletes the Pods of a node that don't tolerate its taints, when they have
// tolerated them for as long as they say.
func evict(r *sdk.Reconcile) error {
	if !r.Exists() {
		r.SetMemo(nil)
		return nil // what becomes of the Pods of a node that is gone is not decided here
	}
	n := newNode(r.Object())
	if err := sdk.Failures("cannot evict Pods of Node "+n.meta.Name(), r.Results()); err != nil {
		return err
	}
	had := decodeSince(r.Memo())
	taints := observeTaints(n, had, r.Now())
	r.SetMemo(encodeSince(taints))
	if len(taints) == 0 && len(had) == 0 {
		return nil
	}
	pods, err := sdk.List[corev1.Pod](r, sdk.Query{
		Kind: kindPod, AllNamespaces: true, Index: byNode, IndexValue: n.meta.Name(), Wakes: tolerationWakes,
	})
	if err != nil {
		return err
	}
	out := newEviction(r)
	for _, pod := range pods {
		if pod.Metadata().HasDeletionTimestamp() {
			continue
		}
		goes, at := due(pod, taints)
		switch wait := at.Sub(r.Now()); {
		case !goes:
			if was, _ := due(pod, had); was {
				out.tell(pod, "Cancelling deletion of Pod ")
			}
		case wait > 0:
			r.RequeueAfter(wait)
		default:
			out.remove(pod)
		}
	}
	return nil
}

// eviction is what is done to the Pods of a node, all of them at once: what
// becomes of one does not matter to the others.
type eviction struct {
	r                       *sdk.Reconcile
	events, status, deletes *sdk.Batch
}

func newEviction(r *sdk.Reconcile) eviction {
	return eviction{r, r.Batch(sdk.Parallel), r.Batch(sdk.Parallel).Always(), r.Batch(sdk.Parallel).Always()}
}

// tell records an Event about a Pod.
func (e eviction) tell(pod corev1.Pod, what string) {
	m := pod.Metadata()
	e.events.EventAbout(kindPod, m.Namespace(), m.Name(), m.UID(), sdk.Normal, "TaintManagerEviction", what+m.Namespace()+"/"+m.Name())
}

// remove says in a Pod's status why it goes, and then deletes it.
func (e eviction) remove(pod corev1.Pod) {
	m, now := pod.Metadata(), e.r.Now()
	e.tell(pod, "Marking for deletion Pod ")
	removal := e.deletes.Delete(kindPod, m.Namespace(), m.Name()).IfUID(m.UID()).Tolerate(sdk.NotFound)
	if condition, changed := disruption(pod, now); changed {
		removal.After(e.status.Patch(kindPod, m.Namespace(), m.Name(), sdk.StrategicPatch, disruptionPatch(m, condition)).On("status").Tolerate(sdk.NotFound))
	}
	e.r.Continue(nil)
}

// due tells whether a Pod goes on account of taints, and when: at once if it does
// not tolerate all of them, else when the first of its tolerations is over. Each
// taint counts from when it was seen, or from when the Pod was bound to its node.
func due(pod corev1.Pod, taints []tainted) (goes bool, at time.Time) {
	bound := boundAt(pod)
	for _, t := range taints {
		toleration, ok := tolerationOf(pod, t)
		if !ok {
			return true, time.Time{}
		}
		if !toleration.HasTolerationSeconds() {
			continue
		}
		seconds := max(0, toleration.TolerationSeconds())
		until := later(t.since, bound).Add(time.Duration(seconds) * time.Second)
		if !goes || until.Before(at) {
			goes, at = true, until
		}
	}
	return goes, at
}

// tolerationOf is a Pod's first toleration of a taint.
func tolerationOf(pod corev1.Pod, t tainted) (corev1.Toleration, bool) {
	for toleration := range pod.Spec().Tolerations() {
		if tolerates(toleration, t) {
			return toleration, true
		}
	}
	return nil, false
}

func tolerates(toleration corev1.Toleration, t tainted) bool {
	if effect := toleration.Effect(); effect != "" && effect != corev1.TaintEffectNoExecute {
		return false
	}
	if key := toleration.Key(); key != "" && key != t.key {
		return false
	}
	switch toleration.Operator() {
	case corev1.TolerationOpExists:
		return true
	case "", corev1.TolerationOpEqual:
		return toleration.Value() == t.value
	}
	return false // comparisons are behind a feature gate that is off
}

// boundAt is when a Pod was bound to its node, as far as its status tells.
func boundAt(pod corev1.Pod) time.Time {
	if c, ok := meta.FindCondition(pod.Status().Conditions(), corev1.PodScheduled); ok && c.Status() == corev1.ConditionTrue {
		return c.LastTransitionTime().Time()
	}
	return pod.Metadata().CreationTimestamp().Time()
}
