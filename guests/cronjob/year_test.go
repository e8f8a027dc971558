//go:build !wasip1

package main

import (
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// TestYear runs a year of a schedule by the clock of the World: as often as the
// controller asks to be called again.
func TestYear(t *testing.T) {
	cases := map[string]struct {
		reason, schedule, zone string
		want                   int // Jobs
		first, last            string
	}{
		"daily":               {"one a day", "30 8 * * *", "", 365, "2026-01-02T08:30:00Z", "2027-01-01T08:30:00Z"},
		"New York":            {"an hour earlier by Greenwich in summer", "30 8 * * *", "America/New_York", 365, "2026-01-02T08:30:00-05:00", "2027-01-01T08:30:00-05:00"},
		"in the gap":          {"in Berlin half past two does not come on March 29th, and comes twice on October 25th", "30 2 * * *", "Europe/Berlin", 365, "2026-01-03T02:30:00+01:00", "2027-01-02T02:30:00+01:00"},
		"when clocks go back": {"half past one comes twice on November 1st in New York", "30 1 * * *", "America/New_York", 366, "2026-01-02T01:30:00-05:00", "2027-01-01T01:30:00-05:00"},
		"monthly":             {"of the 31st there are seven", "0 0 31 * *", "", 7, "2026-01-31T00:00:00Z", "2026-12-31T00:00:00Z"},
		"working days":        {"Monday to Friday", "0 6 * * 1-5", "", 261, "2026-01-02T06:00:00Z", "2027-01-01T06:00:00Z"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, hourly)
			w.Now = time.Date(2026, 1, 2, 2, 0, 0, 0, time.UTC)
			none := int32(0)
			edit(w, func(cj *batchv1.CronJob) {
				cj.Spec.Schedule, cj.Spec.SuccessfulJobsHistoryLimit = tc.schedule, &none
				if tc.zone != "" {
					cj.Spec.TimeZone = &tc.zone
				}
			})
			var at []string
			for end := w.Now.AddDate(1, 0, 0); !w.Now.After(end); {
				run := w.Reconcile("default/report")
				for _, job := range w.Names("Job") {
					at = append(at, finish(w, strings.TrimPrefix(job, "default/")))
				}
				if run.RequeueAfter <= 0 {
					t.Fatalf("nobody looks again: %v", run.Lines())
				}
				w.Now = w.Now.Add(run.RequeueAfter)
			}
			if len(at) != tc.want || at[0] != tc.first || at[len(at)-1] != tc.last {
				t.Errorf("%s: %d Jobs, from %s to %s", tc.reason, len(at), at[0], at[len(at)-1])
			}
		})
	}
}

// finish has a Job end and go, and gives the time that it was scheduled for.
func finish(w *sdktest.World, name string) string {
	at := sdktest.Get[*batchv1.Job](w, "Job", "default", name).Annotations[scheduledAnnotation]
	w.Remove("Job", "default", name)
	edit(w, func(cj *batchv1.CronJob) { cj.Status.Active = nil })
	return at
}
