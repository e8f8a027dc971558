package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// account tells by Events what became of the last call's actions, puts it into
// the status, and says when to look again.
func account(r *sdk.Reconcile, cj *cronJob, done step) error {
	cj.status, cj.changed = done.status, done.changed
	told, results := &events{}, r.Results()
	for i, job := range done.history {
		if deleted(told, job, &results[i]) {
			cj.changed = true
		}
	}
	err := accountStart(r, cj, done, results[len(done.history):], told)
	told.send(r)
	if err == nil {
		err = done.failure
	}
	return settle(r, cj, done.again, err)
}

// accountStart is about the Jobs that were replaced and the one that started.
func accountStart(r *sdk.Reconcile, cj *cronJob, done step, results []sdk.Result, told *events) error {
	if done.scheduled.IsZero() {
		return nil
	}
	for i, job := range done.replaced {
		if !deleted(told, job, &results[i]) {
			return errors.New("could not replace job " + cj.meta.Namespace() + "/" + job.name)
		}
		cj.forget(job.uid)
	}
	created := &results[len(done.replaced)]
	ref := reference(cj.meta.Namespace(), created.Name, created.UID, created.ResourceVersion)
	switch err := created.Err(); {
	case created.Reason == sdk.AlreadyExists:
		var ours bool
		if ref, ours, err = existing(r, cj, jobName(cj, done.scheduled)); err != nil || !ours {
			return err
		}
	case err == nil:
		observeSkew(r, created.Body, done.scheduled)
		told.add(sdk.Normal, "SuccessfulCreate", "Created job "+created.Name)
	case created.HasCause(corev1.NamespaceTerminatingCause):
		return err // whatever is tried, it will fail
	default:
		told.add(sdk.Warning, "FailedCreate", "Error creating job: "+err.Error())
		return err
	}
	cj.status = cj.status.AppendActive(ref).WithLastScheduleTime(metav1.NewTime(done.scheduled))
	cj.changed = true
	return nil
}

// existing looks at a Job that was there already. It is ours to note if this
// controller created it before and did not come to note it; of any other Job
// whoever created it is in charge.
func existing(r *sdk.Reconcile, cj *cronJob, name string) (ref corev1.ObjectReference, ours bool, _ error) {
	job, err := liveJob(r, cj.meta.Namespace(), name)
	if err != nil {
		return nil, false, err
	}
	m := job.Metadata()
	if !meta.IsControlledBy(m, cj.meta) || cj.isActive(m.UID()) {
		return nil, false, nil
	}
	return reference(m.Namespace(), m.Name(), m.UID(), m.ResourceVersion()), true, nil
}

// deleted tells what became of a deletion, and reports whether the Job is gone.
func deleted(told *events, job named, result *sdk.Result) bool {
	if err := result.Err(); err != nil {
		told.add(sdk.Warning, "FailedDelete", "Deleted job: "+err.Error())
		return false
	}
	told.add(sdk.Normal, "SuccessfulDelete", "Deleted job "+job.name)
	return true
}
