//go:build !wasip1

package main

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// none is for a condition that is not there.
const none = time.Duration(-1)

// observedHalf gives the Deployment a status that shows what is there half-way.
var observedHalf = editDeployment(func(d *appsv1.Deployment) {
	d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.ReadyReplicas, d.Status.AvailableReplicas = 13, 5, 8, 8
})

// course is how a roll-out went so far, and what is then said of it.
type course struct {
	reason         string
	change         change
	status         corev1.ConditionStatus
	why, message   string
	updated, since time.Duration // before now
	requeue        time.Duration
}

// run looks at the Deployment once.
func (c course) run(t *testing.T) {
	t.Helper()
	w := sdktest.New(t, web, newer, old)
	all(sized("web-old", 8, 8), sized("web-new", 5, 0), c.change)(w)
	run := w.Reconcile("default/web")
	got := conditionOf(w, appsv1.DeploymentProgressing)
	if got.Status != c.status || got.Reason != c.why || got.Message != c.message {
		t.Errorf("%s: the condition is %+v", c.reason, got)
	}
	if c.updated != none && (w.Now.Sub(got.LastUpdateTime.Time) != c.updated || w.Now.Sub(got.LastTransitionTime.Time) != c.since) {
		t.Errorf("%s: it is of %v, since %v", c.reason, got.LastUpdateTime, got.LastTransitionTime)
	}
	if run.RequeueAfter != c.requeue {
		t.Errorf("%s: requeue after %v, want %v", c.reason, run.RequeueAfter, c.requeue)
	}
}

// TestProgress holds what is said of a roll-out half-way: eight old Pods are
// available, and five new ones are not.
func TestProgress(t *testing.T) {
	status := func(f func(*appsv1.DeploymentStatus)) change {
		return editDeployment(func(d *appsv1.Deployment) {
			d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.ReadyReplicas, d.Status.AvailableReplicas = 13, 5, 8, 8
			f(&d.Status)
		})
	}
	same := observedHalf
	over := all(sized("web-old", 0, 0), sized("web-new", 10, 10))
	yes, no := corev1.ConditionTrue, corev1.ConditionFalse
	cases := map[string]course{
		"no progress": {
			"the time runs", all(progress(yes, reasonUpdated, time.Minute), same),
			yes, "ReplicaSetUpdated", "before", time.Minute, time.Minute, 9*time.Minute + time.Second,
		},
		"more updated": {
			"the time counts anew", all(progress(yes, reasonUpdated, time.Minute), status(func(s *appsv1.DeploymentStatus) { s.UpdatedReplicas = 4 })),
			yes, "ReplicaSetUpdated", `ReplicaSet "web-new" is progressing.`, 0, time.Minute, 10*time.Minute + time.Second,
		},
		"less old ones": {
			"the same", all(progress(yes, reasonNewReplicaSet, time.Minute), status(func(s *appsv1.DeploymentStatus) { s.Replicas = 14 })),
			yes, "ReplicaSetUpdated", `ReplicaSet "web-new" is progressing.`, 0, time.Minute, 10*time.Minute + time.Second,
		},
		"more ready": {
			"the same", all(progress(yes, reasonUpdated, time.Minute), status(func(s *appsv1.DeploymentStatus) { s.ReadyReplicas = 7 })),
			yes, "ReplicaSetUpdated", `ReplicaSet "web-new" is progressing.`, 0, time.Minute, 10*time.Minute + time.Second,
		},
		"more available": {
			"the same", all(progress(yes, reasonUpdated, time.Minute), status(func(s *appsv1.DeploymentStatus) { s.AvailableReplicas = 7 })),
			yes, "ReplicaSetUpdated", `ReplicaSet "web-new" is progressing.`, 0, time.Minute, 10*time.Minute + time.Second,
		},
		"progress after all": {
			"it had timed out", all(progress(no, reasonTimedOut, time.Hour), status(func(s *appsv1.DeploymentStatus) { s.ReadyReplicas = 7 })),
			yes, "ReplicaSetUpdated", `ReplicaSet "web-new" is progressing.`, 0, 0, 10*time.Minute + time.Second,
		},
		"complete": {
			"all are updated and available", all(progress(yes, reasonUpdated, time.Minute), same, over),
			yes, "NewReplicaSetAvailable", `ReplicaSet "web-new" has successfully progressed.`, 0, time.Minute, 0,
		},
		"complete after all": {
			"it had timed out", all(progress(no, reasonTimedOut, time.Hour), same, over),
			yes, "NewReplicaSetAvailable", `ReplicaSet "web-new" has successfully progressed.`, 0, 0, 0,
		},
		"complete before": {
			"Pods that become unavailable later are no roll-out", all(progress(yes, reasonComplete, time.Hour), same, over, sized("web-new", 10, 4)),
			yes, "NewReplicaSetAvailable", "before", time.Hour, time.Hour, 0,
		},
		"begun after completion": {
			"the cache does not yet show the new condition", all(progress(yes, reasonComplete, time.Hour), same),
			yes, "NewReplicaSetAvailable", "before", time.Hour, time.Hour, 0,
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestDeadline holds when a roll-out without progress is too late.
func TestDeadline(t *testing.T) {
	yes, no := corev1.ConditionTrue, corev1.ConditionFalse
	cases := map[string]course{
		"just in time": {
			"to the second", all(progress(yes, reasonUpdated, 10*time.Minute), observedHalf),
			yes, "ReplicaSetUpdated", "before", 10 * time.Minute, 10 * time.Minute, time.Second,
		},
		"too late": {
			"a second later", all(progress(yes, reasonUpdated, 10*time.Minute+time.Second), observedHalf),
			no, "ProgressDeadlineExceeded", `ReplicaSet "web-new" has timed out progressing.`, 0, 0, 0,
		},
		"timed out before": {
			"nothing is new", all(progress(no, reasonTimedOut, time.Hour), observedHalf),
			no, "ProgressDeadlineExceeded", "before", time.Hour, time.Hour, 0,
		},
		"nothing said before": {
			"the time runs from now", observedHalf,
			yes, "FoundNewReplicaSet", `Found new replica set "web-new"`, 0, 0, 10*time.Minute + time.Second,
		},
		"no deadline": {
			"what was said is taken away", all(unlimited, progress(yes, reasonUpdated, time.Hour), observedHalf), "", "", "", none, none, 0,
		},
		"the longest deadline": {
			"means none", all(progress(yes, reasonUpdated, time.Hour), observedHalf, editDeployment(func(d *appsv1.Deployment) {
				d.Spec.ProgressDeadlineSeconds = new(int32(1<<31 - 1))
			})), "", "", "", none, none, 0,
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestPauses holds that a pause is no lack of progress.
func TestPauses(t *testing.T) {
	yes, no, unknown := corev1.ConditionTrue, corev1.ConditionFalse, corev1.ConditionUnknown
	cases := map[string]struct {
		reason  string
		change  change
		status  corev1.ConditionStatus
		why     string
		message string
	}{
		"paused":           {"it is said", all(progress(yes, reasonUpdated, time.Hour), paused), unknown, "DeploymentPaused", "Deployment is paused"},
		"paused before":    {"nothing is new", all(progress(unknown, reasonPaused, time.Hour), paused), unknown, "DeploymentPaused", "before"},
		"paused at first":  {"it is said", paused, unknown, "DeploymentPaused", "Deployment is paused"},
		"paused too late":  {"it had timed out", all(progress(no, reasonTimedOut, time.Hour), paused), no, "ProgressDeadlineExceeded", "before"},
		"resumed":          {"the time counts anew", progress(unknown, reasonPaused, time.Hour), unknown, "DeploymentResumed", "Deployment is resumed"},
		"without deadline": {"nothing is said of progress", all(unlimited, paused), "", "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			all(sized("web-old", 8, 8), sized("web-new", 5, 0), observedHalf, tc.change)(w)
			run := w.Reconcile("default/web")
			c := conditionOf(w, appsv1.DeploymentProgressing)
			if c.Status != tc.status || c.Reason != tc.why || c.Message != tc.message {
				t.Errorf("%s: the condition is %+v", tc.reason, c)
			}
			if run.Err != "" || len(run.Done) != 1 {
				t.Errorf("%s: it did %v", tc.reason, run.Lines())
			}
			if c.Reason == reasonResumed && run.RequeueAfter != 10*time.Minute+time.Second {
				t.Errorf("%s: requeue after %v", tc.reason, run.RequeueAfter)
			}
		})
	}
}
