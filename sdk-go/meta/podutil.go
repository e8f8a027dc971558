package meta

import (
	"time"

	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// PodReadyCondition is the condition that says whether a Pod is ready, and
// whether there is one.
func PodReadyCondition(pod corev1.Pod) (corev1.PodCondition, bool) {
	return FindCondition(pod.Status().Conditions(), corev1.PodReady)
}

// IsPodReady reports whether a Pod is ready.
func IsPodReady(pod corev1.Pod) bool {
	return IsConditionTrue(pod.Status().Conditions(), corev1.PodReady)
}

// IsPodTerminal reports whether a Pod has ended and cannot run again.
func IsPodTerminal(pod corev1.Pod) bool {
	phase := pod.Status().Phase()
	return phase == corev1.PodSucceeded || phase == corev1.PodFailed
}

// IsPodActive reports whether a Pod has not ended and is not being deleted.
func IsPodActive(pod corev1.Pod) bool {
	return !IsPodTerminal(pod) && !pod.Metadata().HasDeletionTimestamp()
}

// IsPodTerminating reports whether a Pod is being deleted and has not ended.
func IsPodTerminating(pod corev1.Pod) bool {
	return !IsPodTerminal(pod) && pod.Metadata().HasDeletionTimestamp()
}

// IsPodAvailable reports whether a Pod has been ready for minReadySeconds.
func IsPodAvailable(pod corev1.Pod, minReadySeconds int32, now time.Time) bool {
	c, ok := PodReadyCondition(pod)
	if !ok || c.Status() != corev1.ConditionTrue {
		return false
	}
	if minReadySeconds == 0 {
		return true
	}
	since := c.LastTransitionTime()
	return !since.IsZero() && !availableAt(c, minReadySeconds).After(now)
}

// NextPodAvailability is how long a ready Pod has to stay so until it is
// available, and whether it will be by waiting: not if it is available
// already, or is not ready.
func NextPodAvailability(pod corev1.Pod, minReadySeconds int32, now time.Time) (time.Duration, bool) {
	c, ok := PodReadyCondition(pod)
	if !ok || c.Status() != corev1.ConditionTrue || minReadySeconds <= 0 || c.LastTransitionTime().IsZero() {
		return 0, false
	}
	wait := availableAt(c, minReadySeconds).Sub(now)
	return max(wait, 0), wait > 0
}

func availableAt(ready corev1.PodCondition, minReadySeconds int32) time.Time {
	return ready.LastTransitionTime().Time().Add(time.Duration(minReadySeconds) * time.Second)
}
