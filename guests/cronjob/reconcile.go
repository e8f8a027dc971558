package main

import (
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// cronJob is the object of one reconcile, and the status that it is to get.
type cronJob struct {
	batchv1.CronJob
	meta    metav1.ObjectMeta
	spec    batchv1.CronJobSpec
	status  batchv1.CronJobStatus
	changed bool // the status is another one than the object's
}

func newCronJob(body []byte) *cronJob {
	cj := batchv1.CronJob(body)
	return &cronJob{CronJob: cj, meta: cj.Metadata(), spec: cj.Spec(), status: cj.Status()}
}

// reconcile takes one step, or two where Jobs are to be deleted or created: what
// became of them goes into Events and the status in a second call.
func reconcile(r *sdk.Reconcile) error {
	if !r.Exists() {
		return nil
	}
	cj := newCronJob(r.Object())
	if r.Continues() {
		if done, ok := decodeStep(r.Continuation(), cj.meta.UID()); ok {
			return account(r, cj, done)
		}
	}
	jobs, err := ownJobs(r, cj)
	if err != nil {
		return err
	}
	next := step{uid: cj.meta.UID()}
	next.history = surplus(cj, jobs)
	told := &events{}
	next.failure = track(r, cj, jobs, told)
	switch {
	case next.failure != nil:
	case rescheduled(r, cj):
		next.again = parses(cj, told)
	default:
		next.failure = start(r, cj, &next, told)
	}
	if len(next.history) == 0 && next.scheduled.IsZero() {
		told.send(r)
		return settle(r, cj, next.again, next.failure)
	}
	next.perform(r, cj)
	told.send(r)
	next.status, next.changed = cj.status, cj.changed
	r.Continue(next.encode())
	return nil
}

// settle ends a reconcile: it writes the status if it is another one, and looks
// again when the schedule's next start is due.
func settle(r *sdk.Reconcile, cj *cronJob, again bool, err error) error {
	if cj.changed {
		r.Batch(sdk.Sequential).Always().UpdateStatus(kindCronJob, cj.meta.Namespace(), cj.meta.Name(), cj.WithStatus(cj.status))
	}
	if err != nil || !again {
		return err
	}
	schedule, err := parse(expression(cj, nil))
	if err != nil {
		return err
	}
	r.RequeueAfter(untilNext(cj, r.Now(), schedule))
	return nil
}

// ownJobs reads the Jobs that the CronJob controls. It adopts none.
func ownJobs(r *sdk.Reconcile, cj *cronJob) ([]batchv1.Job, error) {
	return sdk.List[batchv1.Job](r, sdk.Query{
		Kind: kindJob, Namespace: cj.meta.Namespace(), ControllerUID: cj.meta.UID(), Wakes: jobWakes,
	})
}

// jobWakes is what wakes a CronJob, beside Jobs that come and go.
var jobWakes = sdk.Fields(
	batchv1.JobFields.Metadata().OwnerReferences(),
	batchv1.JobFields.Status().Conditions(),
	batchv1.JobFields.Status().StartTime(),
	batchv1.JobFields.Status().CompletionTime(),
)

// rescheduled reports whether the schedule is another one than at the last look.
// Then the CronJob waits for the new schedule's next time: what the new schedule
// would have started in the past is not made up for.
func rescheduled(r *sdk.Reconcile, cj *cronJob) bool {
	was, is := string(r.Memo()), cj.spec.Schedule()+"\n"+cj.spec.TimeZone()
	r.SetMemo([]byte(is))
	return was != is && was != "" // empty at the first look
}

// parses reports whether a new schedule makes sense, and tells if it does not.
func parses(cj *cronJob, told *events) bool {
	if _, err := parse(expression(cj, nil)); err != nil {
		told.add(sdk.Warning, "UnParseableCronJobSchedule", "unparseable schedule for cronjob: "+cj.spec.Schedule())
		return false
	}
	return true
}
