package main

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// candidate is a Pod that may be deleted, with what decides how early. It is
// read out of the Pod's bytes once, not at each comparison.
type candidate struct {
	pod        corev1.Pod
	uid        string
	assigned   bool
	phase      int
	ready      bool
	cost       int32
	crowd      int   // active related Pods on the same node
	readySince int64 // in seconds since the Unix epoch, or unknown
	restarts   int32 // the most of one container
	sidecar    int32 // the most of one sidecar container
	created    int64 // the same
}

// unknown is a time that an object does not tell.
const unknown = math.MinInt64

// inOrderOfDeletion gives the Pods, those to delete first in front.
func inOrderOfDeletion(pods []corev1.Pod, crowd map[string]int, costs bool, now time.Time) []corev1.Pod {
	candidates := make([]candidate, len(pods))
	for i, pod := range pods {
		candidates[i] = newCandidate(pod, crowd)
		if !costs {
			candidates[i].cost = 0
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int { return compare(&a, &b, now) })
	out := make([]corev1.Pod, len(pods))
	for i := range candidates {
		out[i] = candidates[i].pod
	}
	return out
}

func newCandidate(pod corev1.Pod, crowd map[string]int) candidate {
	m, node := pod.Metadata(), pod.Spec().NodeName()
	c := candidate{
		pod:      pod,
		uid:      m.UID(),
		assigned: node != "",
		phase:    phaseRank(pod.Status().Phase()),
		cost:     deletionCost(pod),
		crowd:    crowd[node],
		created:  seconds(m.CreationTimestamp()),
	}
	if ready, ok := meta.PodReadyCondition(pod); ok && ready.Status() == corev1.ConditionTrue {
		c.ready, c.readySince = true, seconds(ready.LastTransitionTime())
	}
	c.restarts, c.sidecar = mostRestarts(pod)
	return c
}

// compare is negative where a is to be deleted before b. The first rule that
// tells them apart decides.
func compare(a, b *candidate, now time.Time) int {
	if c := cmp.Or(
		falseFirst(a.assigned, b.assigned),
		cmp.Compare(a.phase, b.phase),
		falseFirst(a.ready, b.ready),
		cmp.Compare(a.cost, b.cost),
		-cmp.Compare(a.crowd, b.crowd),
	); c != 0 {
		return c
	}
	if a.ready && a.readySince != b.readySince {
		return latestFirst(a, b, a.readySince, b.readySince, now)
	}
	if c := cmp.Or(-cmp.Compare(a.restarts, b.restarts), -cmp.Compare(a.sidecar, b.sidecar)); c != 0 {
		return c
	}
	if a.created != b.created {
		return latestFirst(a, b, a.created, b.created, now)
	}
	return 0
}

// latestFirst compares ages by their order of magnitude, in powers of two, so
// that among Pods of about the same age chance decides: their UIDs. A time
// that is not known counts as the latest.
func latestFirst(a, b *candidate, t, u int64, now time.Time) int {
	if t == unknown || u == unknown {
		return falseFirst(t != unknown, u != unknown)
	}
	return cmp.Or(cmp.Compare(magnitude(t, now), magnitude(u, now)), cmp.Compare(a.uid, b.uid))
}

// magnitude is the binary logarithm of an age in nanoseconds, -1 if it is not
// positive.
func magnitude(since int64, now time.Time) int {
	age := now.Sub(time.Unix(since, 0))
	return bits.Len64(uint64(max(age, 0))) - 1
}

func seconds(t metav1.Time) int64 {
	if t.IsZero() {
		return unknown
	}
	return t.Unix()
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// phaseRank puts Pods that have not started first.
func phaseRank(phase string) int {
	switch phase {
	case corev1.PodUnknown:
		return 1
	case corev1.PodRunning:
		return 2
	}
	return 0
}

// deletionCost is what a user says that deleting a Pod costs, zero where that
// is no proper number.
func deletionCost(pod corev1.Pod) int32 {
	text, _ := pod.Metadata().Annotations().Get(corev1.PodDeletionCost)
	if text == "" || text[0] == '+' || text[0] == '0' && text != "0" {
		return 0
	}
	cost, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0
	}
	return int32(cost)
}

// mostRestarts is the most restarts of one container, and of one sidecar.
func mostRestarts(pod corev1.Pod) (containers, sidecars int32) {
	for s := range pod.Status().ContainerStatuses() {
		containers = max(containers, s.RestartCount())
	}
	for s := range pod.Status().InitContainerStatuses() {
		if s.RestartCount() > sidecars && isSidecar(pod, s.Name()) {
			sidecars = s.RestartCount()
		}
	}
	return containers, sidecars
}

// isSidecar reports whether an init container runs as long as the Pod does.
func isSidecar(pod corev1.Pod, name string) bool {
	for c := range pod.Spec().InitContainers() {
		if c.Name() == name && c.RestartPolicy() == corev1.ContainerRestartPolicyAlways {
			return true
		}
	}
	return false
}
