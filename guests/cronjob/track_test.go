//go:build !wasip1

package main

import (
	"fmt"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const again = "requeue after 30m0s"

// TestTracks: the status follows the Jobs.
func TestTracks(t *testing.T) {
	cases := map[string]situation{
		"running": {reason: "nothing is new", sources: []string{hourly, running}, change: active, want: []string{again}},
		"complete": {
			reason: "it leaves the list", sources: []string{hourly, running},
			change: func(w *sdktest.World) { active(w); ended(w, batchv1.JobComplete) },
			want:   []string{"event Normal SawCompletedJob: Saw completed job: report-29455320, condition: Complete", statusLine, again},
		},
		"failed": {
			reason: "it leaves the list too", sources: []string{hourly, running},
			change: func(w *sdktest.World) { active(w); ended(w, batchv1.JobFailed) },
			want:   []string{"event Normal SawCompletedJob: Saw completed job: report-29455320, condition: Failed", statusLine, again},
		},
		"complete and not listed": {
			reason: "only the time of the success is noted", sources: []string{hourly, running},
			change: func(w *sdktest.World) { ended(w, batchv1.JobComplete) },
			want:   []string{statusLine, again},
		},
		"unexpected": {
			reason: "a Job that runs and is not listed", sources: []string{hourly, running},
			want: []string{"event Warning UnexpectedJob: Saw a job that the controller did not create or forgot: report-29455320", again},
		},
		"listed by now": {
			reason: "the cache is behind, and the API server lists it", sources: []string{hourly, running},
			change: func(w *sdktest.World) {
				cj := cronJobOf(w).DeepCopy()
				cj.Status.Active = []corev1.ObjectReference{{Kind: "Job", Namespace: "default", Name: "report-29455320", UID: "uid-two"}}
				w.AddLiveObjects(cj)
			},
			want: []string{again},
		},
		"missing": {
			reason: "a listed Job that is gone", sources: []string{hourly}, change: active,
			want: []string{"event Normal MissingJob: Active job went missing: report-29455320", statusLine, again},
		},
		"missing in the cache": {
			reason: "the API server has it", sources: []string{hourly},
			change: func(w *sdktest.World) { active(w); w.AddLive(running) },
			want:   []string{again},
		},
		"suspended": {
			reason: "the status is kept all the same", sources: []string{hourly, running},
			change: func(w *sdktest.World) {
				yes := true
				active(w)
				ended(w, batchv1.JobFailed)
				edit(w, func(cj *batchv1.CronJob) { cj.Spec.Suspend = &yes })
			},
			want: []string{"event Normal SawCompletedJob: Saw completed job: report-29455320, condition: Failed", statusLine},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.now = clock(2, 30)
			tc.run(t)
		})
	}
}

// TestLastSuccess: the latest success counts, in whichever order Jobs are seen.
func TestLastSuccess(t *testing.T) {
	w := sdktest.New(t, hourly)
	w.Now = clock(2, 30)
	for i, minute := range []int{10, 25, 20} {
		w.AddObjects(endedJob(fmt.Sprint("report-", i), batchv1.JobComplete, minute))
	}
	w.Reconcile("default/report")
	if got := cronJobOf(w).Status.LastSuccessfulTime; got == nil || got.Minute() != 25 {
		t.Errorf("the last success is %v", got)
	}
}

// endedJob is a Job of the CronJob that started and ended at a minute past one.
func endedJob(name string, how batchv1.JobConditionType, minute int) *batchv1.Job {
	yes := true
	at := metav1.NewTime(time.Date(2026, 1, 2, 1, minute, 0, 0, time.UTC))
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name,
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "CronJob", Name: "report", UID: "uid-report", Controller: &yes}},
		},
		Status: batchv1.JobStatus{StartTime: &at, CompletionTime: &at, Conditions: []batchv1.JobCondition{{Type: how, Status: corev1.ConditionTrue}}},
	}
}

// TestHistory: the oldest of what is too many goes, of successes and failures apart.
func TestHistory(t *testing.T) {
	success := metav1.NewTime(time.Date(2026, 1, 2, 1, 59, 0, 0, time.UTC))
	fill := func(w *sdktest.World) {
		edit(w, func(cj *batchv1.CronJob) { cj.Status.LastSuccessfulTime = &success })
		for i := range 5 {
			w.AddObjects(endedJob(fmt.Sprint("good-", i), batchv1.JobComplete, 50-i))
		}
		w.AddObjects(endedJob("bad-1", batchv1.JobFailed, 1), endedJob("bad-2", batchv1.JobFailed, 2))
	}
	cases := map[string]situation{
		"both": {
			reason: "three successes and one failure stay", sources: []string{hourly}, change: fill,
			want: []string{
				"delete Job default/good-4", "delete Job default/good-3", "delete Job default/bad-1",
				"event Normal SuccessfulDelete: Deleted job good-4", "event Normal SuccessfulDelete: Deleted job good-3",
				"event Normal SuccessfulDelete: Deleted job bad-1",
				statusLine, again,
			},
		},
		"no limits": {
			reason: "all stay", sources: []string{hourly},
			change: func(w *sdktest.World) {
				fill(w)
				edit(w, func(cj *batchv1.CronJob) {
					cj.Spec.SuccessfulJobsHistoryLimit, cj.Spec.FailedJobsHistoryLimit = nil, nil
				})
			},
			want: []string{again},
		},
		"one can't be deleted": {
			reason: "the others can", sources: []string{hourly},
			change: func(w *sdktest.World) {
				fill(w)
				w.OnAction = func(a *abi.Action) *abi.Result {
					if a.Name != "good-4" {
						return nil
					}
					r := sdktest.Failure(apierrors.NewNotFound(jobs, a.Name))
					return &r
				}
			},
			want: []string{
				`delete Job default/good-4: NotFound: jobs.batch "good-4" not found`, "delete Job default/good-3", "delete Job default/bad-1",
				`event Warning FailedDelete: Deleted job: jobs.batch "good-4" not found`, "event Normal SuccessfulDelete: Deleted job good-3",
				"event Normal SuccessfulDelete: Deleted job bad-1",
				statusLine, again,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.now = clock(2, 30)
			tc.run(t)
		})
	}
}
