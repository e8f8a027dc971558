package main

import (
	"slices"
	"strings"

	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
)

// named is a Job by name and UID.
type named struct{ name, uid string }

// surplus is the ended Jobs that the limits of the history leave no room for,
// those that started first. They leave the list of active ones.
func surplus(cj *cronJob, jobs []batchv1.Job) []named {
	var out []named
	if cj.spec.HasSuccessfulJobsHistoryLimit() {
		out = append(out, oldest(jobs, batchv1.JobComplete, int(cj.spec.SuccessfulJobsHistoryLimit()))...)
	}
	if cj.spec.HasFailedJobsHistoryLimit() {
		out = append(out, oldest(jobs, batchv1.JobFailed, int(cj.spec.FailedJobsHistoryLimit()))...)
	}
	for _, job := range out {
		if cj.isActive(job.uid) {
			cj.forget(job.uid)
		}
	}
	return out
}

// oldest is all but so many of the Jobs that have ended in one way.
func oldest(jobs []batchv1.Job, by string, limit int) []named {
	var ended []batchv1.Job
	for _, job := range jobs {
		if ending(job) == by {
			ended = append(ended, job)
		}
	}
	slices.SortFunc(ended, byStart)
	ended = ended[:max(0, len(ended)-limit)]
	out := make([]named, len(ended))
	for i, job := range ended {
		out[i] = named{job.Metadata().Name(), job.Metadata().UID()}
	}
	return out
}

// byStart orders Jobs by when they started, those that never did last.
func byStart(a, b batchv1.Job) int {
	switch s, t := a.Status().StartTime(), b.Status().StartTime(); {
	case s.IsZero() && !t.IsZero():
		return 1
	case !s.IsZero() && t.IsZero():
		return -1
	case s.Before(t):
		return -1
	case t.Before(s):
		return 1
	}
	return strings.Compare(a.Metadata().Name(), b.Metadata().Name())
}
