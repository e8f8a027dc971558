package meta

import (
	"iter"

	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// Condition is a condition of any kind of object: metav1.Condition,
// corev1.PodCondition, appsv1.ReplicaSetCondition and so on.
type Condition[C any] interface {
	Type() string
	Status() string
	Reason() string
	Message() string
	LastTransitionTime() metav1.Time
	WithLastTransitionTime(metav1.Time) C
}

// FindCondition is the condition of that type, and whether there is one.
//
//	meta.FindCondition(pod.Status().Conditions(), corev1.PodReady)
func FindCondition[C Condition[C]](conditions iter.Seq[C], typ string) (C, bool) {
	for c := range conditions {
		if c.Type() == typ {
			return c, true
		}
	}
	var none C
	return none, false
}

// IsConditionTrue reports whether the condition of that type is there and true.
func IsConditionTrue[C Condition[C]](conditions iter.Seq[C], typ string) bool {
	c, ok := FindCondition(conditions, typ)
	return ok && c.Status() == metav1.ConditionTrue
}

// SetCondition puts c in the place of the condition of its type, or at the
// end, and reports whether that changes anything: the status, reason, message
// or observed generation, but no times. Where it does not, the old condition
// stays as it is.
//
// The time of the last transition is the old one as long as the status is the
// same; else c's own, or now if it has none.
//
//	list, changed := meta.SetCondition(status.Conditions(), c, now)
//	status = status.WithConditions(list...)
func SetCondition[C Condition[C]](conditions iter.Seq[C], c C, now metav1.Time) ([]C, bool) {
	var list []C
	at := -1
	for old := range conditions {
		if at < 0 && old.Type() == c.Type() {
			at = len(list)
		}
		list = append(list, old)
	}
	if at < 0 {
		return append(list, stamped(c, now)), true
	}
	old := list[at]
	switch {
	case sameCondition(old, c):
		return list, false
	case old.Status() == c.Status():
		list[at] = c.WithLastTransitionTime(old.LastTransitionTime())
	default:
		list[at] = stamped(c, now)
	}
	return list, true
}

// ReplaceCondition is SetCondition as Deployments and ReplicaSets have it: a
// changed condition moves to the end, and one of the same status and reason
// counts as unchanged, whatever its message.
func ReplaceCondition[C Condition[C]](conditions iter.Seq[C], c C, now metav1.Time) ([]C, bool) {
	old, ok := FindCondition(conditions, c.Type())
	same := ok && old.Status() == c.Status()
	list, _ := RemoveCondition(conditions, c.Type())
	switch {
	case same && old.Reason() == c.Reason():
		list = nil
		for e := range conditions {
			list = append(list, e)
		}
		return list, false
	case same:
		return append(list, c.WithLastTransitionTime(old.LastTransitionTime())), true
	}
	return append(list, stamped(c, now)), true
}

// RemoveCondition removes the conditions of that type, and reports whether
// there were any.
func RemoveCondition[C Condition[C]](conditions iter.Seq[C], typ string) ([]C, bool) {
	var list []C
	found := false
	for c := range conditions {
		if c.Type() == typ {
			found = true
			continue
		}
		list = append(list, c)
	}
	return list, found
}

func stamped[C Condition[C]](c C, now metav1.Time) C {
	if c.LastTransitionTime().IsZero() {
		return c.WithLastTransitionTime(now)
	}
	return c
}

func sameCondition[C Condition[C]](a, b C) bool {
	return a.Status() == b.Status() && a.Reason() == b.Reason() && a.Message() == b.Message() &&
		observedGeneration(a) == observedGeneration(b)
}

// observedGeneration is zero for the kinds of conditions that have none.
func observedGeneration(c any) int64 {
	if c, ok := c.(interface{ ObservedGeneration() int64 }); ok {
		return c.ObservedGeneration()
	}
	return 0
}
