package main

import (
	"errors"
	"slices"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// isActive reports whether the status lists a Job as active.
func (cj *cronJob) isActive(uid string) bool {
	for ref := range cj.status.Active() {
		if ref.UID() == uid {
			return true
		}
	}
	return false
}

// forget takes a Job off the list of active ones.
func (cj *cronJob) forget(uid string) {
	kept := slices.DeleteFunc(slices.Collect(cj.status.Active()), func(ref corev1.ObjectReference) bool { return ref.UID() == uid })
	cj.status, cj.changed = cj.status.WithActive(kept...), true
}

// track brings the status up to what became of the Jobs.
func track(r *sdk.Reconcile, cj *cronJob, jobs []batchv1.Job, told *events) error {
	there := make(map[string]bool, len(jobs))
	for _, job := range jobs {
		m := job.Metadata()
		there[m.UID()] = true
		how := ending(job)
		active := cj.isActive(m.UID())
		switch {
		case how == "" && !active:
			// The cache may show an older status than the API server has.
			known, err := activeLive(r, cj, m.UID())
			if err != nil {
				return err
			}
			if !known {
				told.add(sdk.Warning, "UnexpectedJob", "Saw a job that the controller did not create or forgot: "+m.Name())
			}
		case how != "" && active:
			cj.forget(m.UID())
			told.add(sdk.Normal, "SawCompletedJob", "Saw completed job: "+m.Name()+", condition: "+how)
		}
		if how == batchv1.JobComplete {
			cj.succeeded(job)
		}
	}
	return dropMissing(r, cj, there, told)
}

// activeLive asks the API server whether a Job is listed as active, and takes
// the status from there if it is.
func activeLive(r *sdk.Reconcile, cj *cronJob, uid string) (bool, error) {
	body, err := sdk.Get[batchv1.CronJob](r, sdk.Query{
		Kind: kindCronJob, Namespace: cj.meta.Namespace(), Name: cj.meta.Name(), Live: true,
	})
	if err != nil {
		return false, err
	}
	fresh := newCronJob(body)
	if !fresh.isActive(uid) {
		return false, nil
	}
	fresh.changed = cj.changed
	*cj = *fresh
	return true, nil
}

// succeeded notes when a Job has succeeded, if none did later.
func (cj *cronJob) succeeded(job batchv1.Job) {
	at := job.Status().CompletionTime()
	if at.IsZero() {
		return
	}
	if last := cj.status.LastSuccessfulTime(); !last.IsZero() && !last.Before(at) {
		return
	}
	cj.status, cj.changed = cj.status.WithLastSuccessfulTime(at), true
}

// dropMissing takes Jobs off the list of active ones that are there no more. The
// API server is asked: the cache may not show them yet.
func dropMissing(r *sdk.Reconcile, cj *cronJob, there map[string]bool, told *events) error {
	for _, ref := range slices.Collect(cj.status.Active()) {
		if there[ref.UID()] {
			continue
		}
		_, err := liveJob(r, ref.Namespace(), ref.Name())
		switch {
		case errors.Is(err, sdk.ErrNotFound):
			told.add(sdk.Normal, "MissingJob", "Active job went missing: "+ref.Name())
			cj.forget(ref.UID())
		case err != nil:
			return err
		}
	}
	return nil
}

func liveJob(r *sdk.Reconcile, namespace, name string) (batchv1.Job, error) {
	return sdk.Get[batchv1.Job](r, sdk.Query{Kind: kindJob, Namespace: namespace, Name: name, Live: true})
}
