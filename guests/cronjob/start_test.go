//go:build !wasip1

package main

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// started is what a CronJob does that starts the Job of three o'clock at three.
func started(before ...string) []string {
	return append(before,
		"create Job default/report-29455380",
		"event Normal SuccessfulCreate: Created job report-29455380",
		statusLine,
		"requeue after 1h0m0s",
	)
}

func policy(p batchv1.ConcurrencyPolicy) func(*sdktest.World) {
	return func(w *sdktest.World) {
		active(w)
		edit(w, func(cj *batchv1.CronJob) { cj.Spec.ConcurrencyPolicy = p })
	}
}

func deadline(seconds int64) func(*sdktest.World) {
	return func(w *sdktest.World) {
		edit(w, func(cj *batchv1.CronJob) { cj.Spec.StartingDeadlineSeconds = &seconds })
	}
}

func schedule(text string) func(*sdktest.World) {
	return func(w *sdktest.World) { edit(w, func(cj *batchv1.CronJob) { cj.Spec.Schedule = text }) }
}

func zone(name string) func(*sdktest.World) {
	return func(w *sdktest.World) { edit(w, func(cj *batchv1.CronJob) { cj.Spec.TimeZone = &name }) }
}

// TestStarts holds when a Job starts, and when it does not.
func TestStarts(t *testing.T) {
	yes := true
	cases := map[string]situation{
		"not yet": {
			reason: "the next start is at three", sources: []string{hourly}, now: clock(2, 30),
			want: []string{"requeue after 30m0s"},
		},
		"due": {reason: "three o'clock", sources: []string{hourly}, now: clock(3, 0), want: started()},
		"first of all": {
			reason: "one that never started anything counts from its creation", sources: []string{hourly}, now: clock(3, 0),
			change: func(w *sdktest.World) { edit(w, func(cj *batchv1.CronJob) { cj.Status.LastScheduleTime = nil }) },
			want:   started(),
		},
		"a few missed": {
			reason: "only the last of them is made up for", sources: []string{hourly}, now: clock(6, 20),
			want: []string{
				"create Job default/report-29455560", "event Normal SuccessfulCreate: Created job report-29455560", statusLine, "requeue after 40m0s",
			},
		},
		"too many missed": {
			reason: "it starts, with a warning", sources: []string{hourly}, now: clock(3, 59),
			change: schedule("* * * * *"),
			want: []string{
				"create Job default/report-29455439",
				"event Warning TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew",
				"event Normal SuccessfulCreate: Created job report-29455439",
				statusLine, "requeue after 1m0s",
			},
		},
		"in time": {reason: "before the deadline", sources: []string{hourly}, now: clock(3, 0), change: deadline(60), want: started()},
		"too late": {
			reason: "the deadline is over: the start does not even count as missed", sources: []string{hourly}, now: clock(3, 5), change: deadline(60),
			want: []string{"requeue after 55m0s"},
		},
		"suspended": {
			reason: "it does not start, and nobody looks again", sources: []string{hourly}, now: clock(3, 0),
			change: func(w *sdktest.World) { edit(w, func(cj *batchv1.CronJob) { cj.Spec.Suspend = &yes }) },
		},
		"being deleted": {
			reason: "it starts nothing any more", sources: []string{hourly}, now: clock(3, 0),
			change: func(w *sdktest.World) {
				edit(w, func(cj *batchv1.CronJob) {
					at := metav1.NewTime(clock(2, 59))
					cj.DeletionTimestamp, cj.Finalizers = &at, []string{"example.com/hold"}
				})
			},
		},
		"allow": {reason: "the other one may go on", sources: []string{hourly, running}, now: clock(3, 0), change: policy(batchv1.AllowConcurrent), want: started()},
		"forbid": {
			reason: "the other one runs", sources: []string{hourly, running}, now: clock(3, 0), change: policy(batchv1.ForbidConcurrent),
			want: []string{
				"event Normal JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid",
				"requeue after 1h0m0s",
			},
		},
		"replace": {
			reason: "the other one goes first", sources: []string{hourly, running}, now: clock(3, 0), change: policy(batchv1.ReplaceConcurrent),
			want: []string{
				"delete Job default/report-29455320", "create Job default/report-29455380",
				"event Normal SuccessfulDelete: Deleted job report-29455320", "event Normal SuccessfulCreate: Created job report-29455380",
				statusLine, "requeue after 1h0m0s",
			},
		},
		"processed": {
			reason: "the start is noted", sources: []string{hourly}, now: clock(2, 0),
			want: []string{"requeue after 1h0m0s"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { tc.run(t) })
	}
}

// TestSchedules holds what schedules and time zones mean, also those that make no sense.
func TestSchedules(t *testing.T) {
	cases := map[string]situation{
		"zone": {
			reason: "eight in New York is one in the afternoon at Greenwich", sources: []string{hourly}, now: clock(13, 0),
			change: func(w *sdktest.World) { schedule("0 8 * * *")(w); zone("America/New_York")(w) },
			want: []string{
				"create Job default/report-29455980", "event Normal SuccessfulCreate: Created job report-29455980", statusLine, "requeue after 24h0m0s",
			},
		},
		"unknown zone": {
			reason: "nobody looks again before it changes", sources: []string{hourly}, now: clock(3, 0), change: zone("Mars/Olympus"),
			want: []string{`event Warning UnknownTimeZone: invalid timeZone: "Mars/Olympus": unknown time zone Mars/Olympus`},
		},
		"zone in the schedule": {
			reason: "it goes before, with a warning", sources: []string{hourly}, now: clock(13, 0), change: schedule("TZ=America/New_York 0 8 * * *"),
			want: []string{
				"create Job default/report-29455980",
				`event Warning UnsupportedSchedule: CRON_TZ or TZ used in schedule "TZ=America/New_York 0 8 * * *" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
				"event Normal SuccessfulCreate: Created job report-29455980", statusLine, "requeue after 24h0m0s",
			},
		},
		"no schedule": {
			reason: "nobody looks again before it changes", sources: []string{hourly}, now: clock(3, 0), change: schedule("often"),
			want: []string{`event Warning UnparseableSchedule: unparseable schedule: "often" : expected exactly 5 fields, found 1: [often]`},
		},
		"panic in the parser": {
			reason: "it is told like other mistakes", sources: []string{hourly}, now: clock(3, 0), change: schedule("TZ=UTC"),
			want: []string{
				`event Warning UnsupportedSchedule: CRON_TZ or TZ used in schedule "TZ=UTC" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`,
				`event Warning UnparseableSchedule: unparseable schedule: "TZ=UTC" : invalid schedule format: runtime error: slice bounds out of range [:-1]`,
			},
		},
		"a day that never comes": {
			reason: "the 31st of February", sources: []string{hourly}, now: clock(3, 0), change: schedule("59 23 31 2 *"),
			want: []string{"event Warning InvalidSchedule: invalid schedule: 59 23 31 2 * : time difference between two schedules is less than 1 second"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { tc.run(t) })
	}
}

// TestJob: a Job is what the template says, with a name, an owner and the time.
func TestJob(t *testing.T) {
	w := situation{reason: "due", sources: []string{hourly}, now: clock(3, 0), change: zone("America/New_York"), want: started()}.run(t)
	job := sdktest.Get[*batchv1.Job](w, "Job", "default", "report-29455380")
	yes := true
	want := metav1.ObjectMeta{
		Labels:          map[string]string{"app": "report"},
		Annotations:     map[string]string{"note": "kept", "batch.kubernetes.io/cronjob-scheduled-timestamp": "2026-01-01T22:00:00-05:00"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "CronJob", Name: "report", UID: "uid-report", Controller: &yes, BlockOwnerDeletion: &yes}},
	}
	got := metav1.ObjectMeta{Labels: job.Labels, Annotations: job.Annotations, OwnerReferences: job.OwnerReferences}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(cronJobOf(w).Spec.JobTemplate.Spec, job.Spec); diff != "" {
		t.Errorf("the spec is another one\n%s", diff)
	}
	status := cronJobOf(w).Status
	if len(status.Active) != 1 || status.Active[0].UID != job.UID || status.Active[0].Name != job.Name || status.Active[0].Kind != "Job" ||
		!status.LastScheduleTime.Equal(&metav1.Time{Time: clock(3, 0).Truncate(1e9)}) {
		t.Errorf("the status is %+v", status)
	}
}

var jobs = schema.GroupResource{Group: "batch", Resource: "jobs"}

// failing has every action of a verb fail.
func failing(verb abi.Verb, err error) func(*sdktest.World) {
	return func(w *sdktest.World) {
		w.OnAction = func(a *abi.Action) *abi.Result {
			if a.Verb != verb {
				return nil
			}
			r := sdktest.Failure(err)
			return &r
		}
	}
}

// TestStartFails: what can't be created or replaced is told and tried again.
func TestStartFails(t *testing.T) {
	forbidden := apierrors.NewForbidden(jobs, "report-29455380", errors.New("quota"))
	terminating := apierrors.NewForbidden(jobs, "report-29455380", errors.New("quota"))
	terminating.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: "NamespaceTerminating"}}
	theirs := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "report-29455380", UID: "uid-theirs"}}
	ours := theirs.DeepCopy()
	yes := true
	ours.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "CronJob", Name: "report", UID: "uid-report", Controller: &yes}}
	cases := map[string]situation{
		"refused": {
			reason: "with the API server's words", sources: []string{hourly}, now: clock(3, 0), change: failing(abi.VerbCreate, forbidden),
			want: []string{
				`create Job default/report-29455380: Forbidden: jobs.batch "report-29455380" is forbidden: quota`,
				`event Warning FailedCreate: Error creating job: jobs.batch "report-29455380" is forbidden: quota`,
				`error: jobs.batch "report-29455380" is forbidden: quota`,
			},
		},
		"namespace terminating": {
			reason: "no event: it could not be recorded either", sources: []string{hourly}, now: clock(3, 0), change: failing(abi.VerbCreate, terminating),
			want: []string{
				`create Job default/report-29455380: Forbidden: jobs.batch "report-29455380" is forbidden: quota`,
				`error: jobs.batch "report-29455380" is forbidden: quota`,
			},
		},
		"there already": {
			reason: "somebody else's Job: the start is left to them", sources: []string{hourly}, now: clock(3, 0),
			change: func(w *sdktest.World) { w.AddLiveObjects(theirs) },
			want:   []string{"create Job default/report-29455380", "requeue after 1h0m0s"},
		},
		"ours already": {
			reason: "created before a crash, and not noted: no event tells of it again", sources: []string{hourly}, now: clock(3, 0),
			change: func(w *sdktest.World) { w.AddLiveObjects(ours) },
			want:   []string{"create Job default/report-29455380", statusLine, "requeue after 1h0m0s"},
		},
		"not replaced": {
			reason: "the new one does not start", sources: []string{hourly, running}, now: clock(3, 0),
			change: func(w *sdktest.World) {
				policy(batchv1.ReplaceConcurrent)(w)
				failing(abi.VerbDelete, apierrors.NewInternalError(errors.New("no luck")))(w)
			},
			want: []string{
				"delete Job default/report-29455320: InternalError: Internal error occurred: no luck",
				"create Job default/report-29455380: skipped",
				"event Warning FailedDelete: Deleted job: Internal error occurred: no luck",
				"error: could not replace job default/report-29455320",
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) { tc.run(t) })
	}
}

// TestSkew: how late a Job starts is reported.
func TestSkew(t *testing.T) {
	w := sdktest.New(t, hourly)
	w.Now = clock(3, 5)
	samples := w.Reconcile("default/report").Metrics
	if len(samples) != 1 || samples[0].Name != creationSkew.Name || samples[0].Value != 300 {
		t.Errorf("the samples are %v", samples)
	}
}

// TestJobsAreKeptInViewUnderAnotherSchedule: the Jobs of the old schedule go on
// to wake the CronJob, and one that ended at the same moment is not missed.
func TestJobsAreKeptInViewUnderAnotherSchedule(t *testing.T) {
	w := sdktest.New(t, hourly, running)
	active(w)
	w.Now = clock(2, 30)
	w.Reconcile("default/report").Want(t, "requeue after 30m0s")
	schedule("0 0 1 * *")(w)
	run := w.Reconcile("default/report")
	run.Want(t, "requeue after 717h30m0s")
	if !slices.ContainsFunc(run.Reads, func(q abi.Query) bool { return q.Type == abi.QueryTypeList && *q.Kind == *kindJob }) {
		t.Errorf("it did not read its Jobs, but %v", run.Reads)
	}
	schedule("0 4 * * *")(w)
	ended(w, batchv1.JobComplete)
	w.Reconcile("default/report").Want(t,
		"event Normal SawCompletedJob: Saw completed job: report-29455320, condition: Complete", statusLine, "requeue after 1h30m0s")
}

// TestSchedule: another schedule is waited for, and does not make up for the past.
func TestSchedule(t *testing.T) {
	w := sdktest.New(t, hourly)
	w.Now = clock(2, 30)
	w.Reconcile("default/report").Want(t, "requeue after 30m0s")
	schedule("*/10 * * * *")(w)
	w.Now = clock(2, 35)
	w.Reconcile("default/report").Want(t, "requeue after 5m0s")
	w.Now = clock(2, 40)
	w.Reconcile("default/report").Want(t,
		"create Job default/report-29455360", "event Normal SuccessfulCreate: Created job report-29455360", statusLine, "requeue after 10m0s")
	schedule("never")(w)
	w.Reconcile("default/report").Want(t, "event Warning UnParseableCronJobSchedule: unparseable schedule for cronjob: never")
}
