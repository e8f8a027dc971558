package main

import (
	"strconv"
	"time"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// disruption is the condition that tells why a Pod goes, and whether the Pod has
// yet to be told.
func disruption(pod corev1.Pod, now time.Time) (corev1.PodCondition, bool) {
	list, changed := meta.SetCondition(pod.Status().Conditions(), corev1.PodCondition(nil).
		WithType(corev1.DisruptionTarget).
		WithStatus(corev1.ConditionTrue).
		WithReason("DeletionByTaintManager").
		WithMessage("Taint manager: deleting due to NoExecute taint").
		WithObservedGeneration(pod.Metadata().Generation()), metav1.NewTime(now))
	for _, c := range list {
		if c.Type() == corev1.DisruptionTarget {
			return c, changed
		}
	}
	return nil, changed
}

// disruptionPatch sets that condition of a Pod.
func disruptionPatch(pod metav1.ObjectMeta, c corev1.PodCondition) []byte {
	b := strconv.AppendQuote([]byte(`{"metadata":{"uid":`), pod.UID())
	b = strconv.AppendQuote(append(b, `},"status":{"conditions":[{"type":`...), c.Type())
	b = strconv.AppendQuote(append(b, `,"status":`...), c.Status())
	b = strconv.AppendQuote(append(b, `,"reason":`...), c.Reason())
	b = strconv.AppendQuote(append(b, `,"message":`...), c.Message())
	b = strconv.AppendInt(append(b, `,"observedGeneration":`...), c.ObservedGeneration(), 10)
	b = appendTime(append(b, `,"lastTransitionTime":`...), c.LastTransitionTime())
	return append(b, `}]}}`...)
}

// appendTime appends a time as JSON. Package time's own way of writing one would
// make the module larger by some 40 KB.
func appendTime(b []byte, at metav1.Time) []byte {
	t := at.Time().UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	b = append(b, '"', byte('0'+year/1000%10), byte('0'+year/100%10))
	for i, v := range []int{year % 100, int(month), day, hour, minute, second} {
		if i > 0 {
			b = append(b, "--T::"[i-1])
		}
		b = append(b, byte('0'+v/10), byte('0'+v%10)) //nolint:gosec // two digits
	}
	return append(b, `Z"`...)
}
