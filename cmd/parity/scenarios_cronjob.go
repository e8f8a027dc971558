package main

import (
	"context"
	"fmt"
	"time"
)

// Where a CronJob's pods run: kwok completes them, or nobody does.
const (
	completes = "nodeName: node-2, "
	stays     = ""
)

// cronJob is a CronJob; more goes into its spec.
func cronJob(schedule, where string, more ...string) string {
	spec := ""
	for _, m := range more {
		spec += "  " + m + "\n"
	}
	return fmt.Sprintf(`apiVersion: batch/v1
kind: CronJob
metadata: {name: tick}
spec:
  schedule: %q
%s  jobTemplate:
    metadata: {labels: {app: tick}, annotations: {example.com/note: kept}}
    spec:
      backoffLimit: 0
      template:
        metadata: {labels: {app: tick}}
        spec: {%srestartPolicy: Never, containers: [{name: c, image: "registry.k8s.io/pause:3.10"}]}
`, schedule, spec, where)
}

const (
	minutely = "* * * * *"
	hourly   = "0 * * * *"
	yearly   = "0 0 1 1 *"
	// tickIn bounds the wait for the next minute and what it brings.
	tickIn = 100 * time.Second
)

// missed makes a CronJob that has missed its last times, and lets it go: it
// starts at once, without waiting for its time.
func missed(doc string) step {
	return together(
		create(doc),
		patch("cronjobs", "tick", "spec: {suspend: true}"),
		patchStatus("cronjobs", "tick", "status: {lastScheduleTime: $3H}"),
		patch("cronjobs", "tick", "spec: {suspend: false}"),
	)
}

func suspend() step { return patch("cronjobs", "tick", "spec: {suspend: true}") }

// earlyInTheMinute waits for a time that is far from the next tick, so that both
// sides see the same ticks.
func earlyInTheMinute() step {
	return step{"wait for a young minute", func(ctx context.Context, _ *stage) error {
		const young, old = 3 * time.Second, 40 * time.Second
		into := time.Duration(time.Now().Second()) * time.Second
		switch {
		case into < young:
			return pause(young-into).do(ctx, nil)
		case into > old:
			return pause(time.Minute+young-into).do(ctx, nil)
		default:
			return nil
		}
	}}
}

var cronJobScenarios = []scenario{
	{name: "ticks", slow: true, steps: []step{
		earlyInTheMinute(),
		create(cronJob(minutely, completes)),
		countIn(tickIn, "jobs", "app=tick", 1, "status.succeeded=1"),
		suspend(),
		until("cronjobs", "tick", "status.active= status.lastSuccessfulTime!= status.lastScheduleTime!="),
	}},
	{name: "forbid", slow: true, steps: []step{
		earlyInTheMinute(),
		create(cronJob(minutely, stays, "concurrencyPolicy: Forbid")),
		countIn(tickIn, "jobs", "app=tick", 1),
		eventIn(tickIn, "JobAlreadyActive"),
		suspend(),
		succeed("app=tick", 1),
		until("cronjobs", "tick", "status.active="),
	}},
	{name: "replace", slow: true, steps: []step{
		earlyInTheMinute(),
		create(cronJob(minutely, stays, "concurrencyPolicy: Replace")),
		countIn(tickIn, "jobs", "app=tick", 1),
		eventIn(tickIn, "SuccessfulDelete"),
		suspend(),
		count("jobs", "app=tick", 1),
		until("cronjobs", "tick", "status.active=1"),
	}},
	{name: "allow", slow: true, steps: []step{
		earlyInTheMinute(),
		create(cronJob(minutely, stays, "concurrencyPolicy: Allow")),
		countIn(2*tickIn, "jobs", "app=tick", 2),
		suspend(),
		until("cronjobs", "tick", "status.active=2"),
	}},
	{name: "history-of-successes", slow: true, steps: []step{
		earlyInTheMinute(),
		create(cronJob(minutely, completes, "successfulJobsHistoryLimit: 1")),
		eventIn(2*tickIn, "SuccessfulDelete"),
		suspend(),
		count("jobs", "app=tick", 1),
	}},
	{name: "suspended", slow: true, steps: []step{
		earlyInTheMinute(),
		create(cronJob(minutely, completes, "suspend: true")),
		pause(time.Minute),
		count("jobs", "app=tick", 0),
	}},
	{name: "too-many-missed", slow: true, steps: []step{
		earlyInTheMinute(),
		missed(cronJob(minutely, stays)),
		count("jobs", "app=tick", 1),
		suspend(),
		event("TooManyMissedTimes"),
	}},
	{name: "missed-and-completes", steps: []step{
		missed(cronJob(hourly, completes)),
		count("jobs", "app=tick", 1, "status.succeeded=1"),
		until("cronjobs", "tick", "status.active= status.lastSuccessfulTime!="),
	}},
	{name: "missed-within-deadline", steps: []step{
		missed(cronJob(hourly, stays, "startingDeadlineSeconds: 7200")),
		count("jobs", "app=tick", 1),
		until("cronjobs", "tick", "status.active=1"),
	}},
	{name: "missed-beyond-deadline", steps: []step{
		missed(cronJob(yearly, stays, "startingDeadlineSeconds: 100")),
		pause(stepQuiet),
		count("jobs", "app=tick", 0),
	}},
	{name: "time-zone", steps: []step{
		missed(cronJob(hourly, stays, "timeZone: Asia/Tokyo")),
		count("jobs", "app=tick", 1),
		until("cronjobs", "tick", "status.active=1"),
	}},
	{name: "job-fails", steps: []step{
		missed(cronJob(hourly, stays)),
		fail("app=tick", 1),
		count("jobs", "app=tick", 1, "status.failed=1"),
		until("cronjobs", "tick", "status.active= status.lastSuccessfulTime="),
	}},
	{name: "no-history-of-failures", steps: []step{
		missed(cronJob(hourly, stays, "failedJobsHistoryLimit: 0")),
		fail("app=tick", 1),
		count("jobs", "app=tick", 0),
		until("cronjobs", "tick", "status.active="),
	}},
	{name: "no-history-of-successes", steps: []step{
		missed(cronJob(hourly, stays, "successfulJobsHistoryLimit: 0")),
		succeed("app=tick", 1),
		count("jobs", "app=tick", 0),
		until("cronjobs", "tick", "status.lastSuccessfulTime!="),
	}},
	{name: "job-deleted", steps: []step{
		missed(cronJob(hourly, stays)),
		until("cronjobs", "tick", "status.active=1"),
		removeOne("jobs", "app=tick", background),
		until("cronjobs", "tick", "status.active="),
	}},
	{name: "schedule-changes", steps: []step{
		create(cronJob(yearly, stays)),
		until("cronjobs", "tick", "status.lastScheduleTime="),
		patchStatus("cronjobs", "tick", "status: {lastScheduleTime: $3H}"),
		patch("cronjobs", "tick", "spec: {schedule: '"+hourly+"'}"),
		pause(stepQuiet),
		count("jobs", "app=tick", 0),
	}},
	{name: "job-by-hand", steps: []step{
		create(cronJob(yearly, stays)),
		own(`apiVersion: batch/v1
kind: Job
metadata: {name: by-hand, annotations: {cronjob.kubernetes.io/instantiate: manual}, labels: {app: tick}}
spec:
  template:
    metadata: {labels: {app: tick}}
    spec: {restartPolicy: Never, containers: [{name: c, image: "registry.k8s.io/pause:3.10"}]}`, controlledBy("cronjobs/tick")),
		succeed("app=tick", 1),
		until("jobs", "by-hand", "status.succeeded=1"),
	}},
	{name: "deleted-with-its-jobs", steps: []step{
		missed(cronJob(hourly, stays)),
		until("cronjobs", "tick", "status.active=1"),
		remove("cronjobs", "tick", background),
		count("jobs", "app=tick", 0),
	}},
	{name: "deleted-without-its-jobs", steps: []step{
		missed(cronJob(hourly, stays)),
		until("cronjobs", "tick", "status.active=1"),
		remove("cronjobs", "tick", orphan),
		gone("cronjobs", "tick"),
		count("jobs", "app=tick", 1, "metadata.ownerReferences="),
	}},
}
