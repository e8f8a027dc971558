package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/batchv1"
)

// step is what one call does and the next one accounts for.
type step struct {
	uid       string    // the CronJob's
	history   []named   // Jobs to delete, since the history has no room for them
	replaced  []named   // Jobs to delete, since another one is to start
	scheduled time.Time // when the Job was to start; zero if none is to
	job       batchv1.Job
	again     bool  // look again at the schedule's next start
	failure   error // of the call itself, after all else that it did

	status  batchv1.CronJobStatus // as it is to be, but for what this step does
	changed bool
}

// perform asks for the deletions and the creation. A Job starts only when those
// that it replaces are gone.
func (s *step) perform(r *sdk.Reconcile, cj *cronJob) {
	old := r.Batch(sdk.Parallel)
	for _, job := range s.history {
		remove(old, cj, job)
	}
	if s.scheduled.IsZero() {
		return
	}
	fresh := r.Batch(sdk.Sequential).Always()
	for _, job := range s.replaced {
		remove(fresh, cj, job)
	}
	fresh.Create(kindJob, cj.meta.Namespace(), jobName(cj, s.scheduled), s.job).Return().Tolerate(sdk.AlreadyExists)
}

func remove(b *sdk.Batch, cj *cronJob, job named) {
	b.Delete(kindJob, cj.meta.Namespace(), job.name).IfUID(job.uid).Propagate(sdk.Background)
}

// encode gives the bytes to continue with: a line each for the CronJob's UID, the
// scheduled time in seconds, whether the status has changed, whether to look again,
// the failure, and each Job; then, after an empty line, the status.
func (s *step) encode() []byte {
	var b strings.Builder
	b.WriteString(s.uid + "\n")
	if !s.scheduled.IsZero() {
		b.WriteString(strconv.FormatInt(s.scheduled.Unix(), 10))
	}
	b.WriteString("\n" + strconv.FormatBool(s.changed) + "\n" + strconv.FormatBool(s.again) + "\n")
	if s.failure != nil {
		b.WriteString(strconv.Quote(s.failure.Error()))
	}
	b.WriteString("\n")
	for _, job := range s.history {
		b.WriteString("history " + job.name + " " + job.uid + "\n")
	}
	for _, job := range s.replaced {
		b.WriteString("replaced " + job.name + " " + job.uid + "\n")
	}
	b.WriteString("\n")
	b.Write(s.status)
	return []byte(b.String())
}

// decodeStep is what the call before this one did; ok is false if it was about
// another CronJob of the name.
func decodeStep(b []byte, uid string) (s step, ok bool) {
	const fixed = 5
	lines := strings.SplitN(string(b), "\n", fixed+1)
	if len(lines) <= fixed || lines[0] != uid {
		return step{}, false
	}
	s = step{uid: uid, changed: lines[2] == "true", again: lines[3] == "true"}
	if text, err := strconv.Unquote(lines[4]); err == nil {
		s.failure = errors.New(text)
	}
	if seconds, err := strconv.ParseInt(lines[1], 10, 64); err == nil {
		s.scheduled = time.Unix(seconds, 0).UTC()
	}
	rest := lines[fixed]
	for {
		var line string
		if line, rest, _ = strings.Cut(rest, "\n"); line == "" {
			s.status = batchv1.CronJobStatus(rest)
			return s, true
		}
		what, which, _ := strings.Cut(line, " ")
		var job named
		job.name, job.uid, _ = strings.Cut(which, " ")
		if what == "history" {
			s.history = append(s.history, job)
		} else {
			s.replaced = append(s.replaced, job)
		}
	}
}
