//go:build !wasip1

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// Fixtures: a CronJob that has started a Job at two, and that Job.
const (
	hourly  = "testdata/hourly.yaml"
	running = "testdata/running.yaml"
)

const statusLine = "update CronJob/status default/report"

// clock is a time of the fixtures' day.
func clock(hour, minute int) time.Time {
	return time.Date(2026, 1, 2, hour, minute, 0, 100_000_000, time.UTC)
}

// edit changes the CronJob.
func edit(w *sdktest.World, f func(*batchv1.CronJob)) {
	sdktest.Edit(w, "CronJob", "default", "report", f)
}

// active lists the Job of two o'clock as active.
func active(w *sdktest.World) {
	edit(w, func(cj *batchv1.CronJob) {
		cj.Status.Active = []corev1.ObjectReference{{APIVersion: "batch/v1", Kind: "Job", Namespace: "default", Name: "report-29455320", UID: "uid-two"}}
	})
}

// ended has the Job of two o'clock end ten minutes later.
func ended(w *sdktest.World, how batchv1.JobConditionType) {
	sdktest.Edit(w, "Job", "default", "report-29455320", func(job *batchv1.Job) {
		job.Status.Conditions = []batchv1.JobCondition{{Type: how, Status: corev1.ConditionTrue}}
		if how == batchv1.JobComplete {
			at := metav1.NewTime(time.Date(2026, 1, 2, 2, 10, 0, 0, time.UTC))
			job.Status.CompletionTime = &at
		}
	})
}

// cronJobOf is the CronJob as it is now.
func cronJobOf(w *sdktest.World) *batchv1.CronJob {
	return sdktest.Get[*batchv1.CronJob](w, "CronJob", "default", "report")
}

// situation is what a CronJob finds at a time, and what it then does.
type situation struct {
	reason  string
	sources []string
	now     time.Time
	change  func(w *sdktest.World)
	want    []string
}

func (s situation) run(t *testing.T) *sdktest.World {
	t.Helper()
	w := sdktest.New(t, s.sources...)
	w.Now = s.now
	if s.change != nil {
		s.change(w)
	}
	if diff := cmp.Diff(s.want, w.Reconcile("default/report").Lines()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", s.reason, diff)
	}
	return w
}
