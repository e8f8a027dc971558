package main

import (
	"strconv"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
)

// start decides whether a Job is to start now, and whether to look again at the
// next start, which next then says. A schedule that makes no sense waits for the
// CronJob to change.
func start(r *sdk.Reconcile, cj *cronJob, next *step, told *events) error {
	if cj.meta.HasDeletionTimestamp() {
		return nil
	}
	if cj.spec.HasTimeZone() {
		if _, err := time.LoadLocation(cj.spec.TimeZone()); err != nil {
			told.add(sdk.Warning, "UnknownTimeZone", "invalid timeZone: "+strconv.Quote(cj.spec.TimeZone())+": "+err.Error())
			return nil
		}
	}
	if cj.spec.Suspend() {
		return nil
	}
	schedule, err := parse(expression(cj, told))
	if err != nil {
		told.add(sdk.Warning, "UnparseableSchedule", "unparseable schedule: "+strconv.Quote(cj.spec.Schedule())+" : "+err.Error())
		return nil
	}
	scheduled, err := due(cj, r.Now(), schedule, told)
	if err != nil {
		told.add(sdk.Warning, "InvalidSchedule", "invalid schedule: "+cj.spec.Schedule()+" : "+err.Error())
		return nil
	}
	next.again = true
	if scheduled.IsZero() || !mayStart(r, cj, scheduled, told) {
		return nil
	}
	if next.job, err = newJob(cj, scheduled); err != nil {
		return err
	}
	if cj.spec.ConcurrencyPolicy() == batchv1.ReplaceConcurrent {
		for ref := range cj.status.Active() {
			job, err := liveJob(r, ref.Namespace(), ref.Name())
			if err != nil {
				told.add(sdk.Warning, "FailedGet", "Get job: "+err.Error())
				return err
			}
			next.replaced = append(next.replaced, named{ref.Name(), job.Metadata().UID()})
		}
	}
	next.scheduled = scheduled
	return nil
}

// mayStart reports whether the Job of a start that is due may be created.
func mayStart(r *sdk.Reconcile, cj *cronJob, scheduled time.Time, told *events) bool {
	if cj.spec.HasStartingDeadlineSeconds() {
		deadline := scheduled.Add(time.Duration(cj.spec.StartingDeadlineSeconds()) * time.Second)
		if deadline.Before(r.Now()) {
			told.add(sdk.Warning, "MissSchedule", "Missed scheduled time to start a job: "+scheduled.UTC().Format(time.RFC1123Z))
			return false
		}
	}
	if cj.status.HasLastScheduleTime() && cj.status.LastScheduleTime().Time().Equal(scheduled) {
		return false
	}
	name := jobName(cj, scheduled)
	for ref := range cj.status.Active() {
		if ref.Name() == name && ref.Namespace() == cj.meta.Namespace() {
			return false
		}
	}
	if cj.spec.ConcurrencyPolicy() == batchv1.ForbidConcurrent && cj.status.ActiveLen() > 0 {
		told.add(sdk.Normal, "JobAlreadyActive", "Not starting job because prior execution is running and concurrency policy is Forbid")
		return false
	}
	return true
}
