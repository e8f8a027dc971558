package main

import (
	"strconv"
	"time"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// scheduledAnnotation tells a Job's scheduled time, in the CronJob's time zone.
const scheduledAnnotation = "batch.kubernetes.io/cronjob-scheduled-timestamp"

// jobName is the name of the Job of a start: the same however often it is tried.
func jobName(cj *cronJob, scheduled time.Time) string {
	const minute = 60
	return cj.meta.Name() + "-" + strconv.FormatInt(scheduled.Unix()/minute, 10)
}

// newJob is the Job of a start. The template's spec is passed on as the bytes
// that it came in.
func newJob(cj *cronJob, scheduled time.Time) (batchv1.Job, error) {
	zone, err := time.LoadLocation(cj.spec.TimeZone())
	if err != nil {
		return nil, err
	}
	template := cj.spec.JobTemplate()
	of := template.Metadata()
	m := metav1.ObjectMeta(nil).
		WithName(jobName(cj, scheduled)).
		WithLabels(of.Labels()).
		WithAnnotations(of.Annotations()).
		WithAnnotation(scheduledAnnotation, scheduled.In(zone).Format(time.RFC3339)).
		WithOwnerReferences(meta.NewControllerRef(kindCronJob.APIVersion, kindCronJob.Kind, cj.meta))
	return batchv1.Job(nil).WithMetadata(m).WithSpec(template.Spec()), nil
}

// reference is how a Job stands in the list of active ones.
func reference(namespace, name, uid, version string) corev1.ObjectReference {
	return corev1.ObjectReference(nil).
		WithKind(kindJob.Kind).
		WithNamespace(namespace).
		WithName(name).
		WithUID(uid).
		WithAPIVersion(kindJob.APIVersion).
		WithResourceVersion(version)
}

// ending is the condition by which a Job has ended, Complete or Failed, empty
// while it has not.
func ending(job batchv1.Job) string {
	for c := range job.Status().Conditions() {
		if (c.Type() == batchv1.JobComplete || c.Type() == batchv1.JobFailed) && c.Status() == metav1.ConditionTrue {
			return c.Type()
		}
	}
	return ""
}
