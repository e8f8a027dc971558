package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"

	sdk "github.com/loopdock/loopdock/sdk-go"
)

// delta is added to the time until the next start: clocks may differ by a little.
const delta = 100 * time.Millisecond

// parse reads a schedule. The parser panics on some of what users write.
func parse(expression string) (schedule cron.Schedule, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			schedule, err = nil, errors.New("invalid schedule format: "+p.Error())
		default:
			schedule, err = nil, errors.New("invalid schedule format")
		}
	}()
	return cron.ParseStandard(expression)
}

// expression is the schedule with its time zone, as the parser takes it. A zone
// within the schedule goes before; it is told of, since it is not supported.
func expression(cj *cronJob, told *events) string {
	schedule := cj.spec.Schedule()
	if strings.Contains(schedule, "TZ") {
		if told != nil {
			told.add(sdk.Warning, "UnsupportedSchedule", "CRON_TZ or TZ used in schedule "+strconv.Quote(schedule)+
				" is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details")
		}
		return schedule
	}
	if !cj.spec.HasTimeZone() {
		return schedule
	}
	if _, err := time.LoadLocation(cj.spec.TimeZone()); err != nil {
		return schedule
	}
	return "TZ=" + cj.spec.TimeZone() + " " + schedule
}

// missed is how many starts were missed, roughly.
type missed int

const (
	missedNone missed = iota
	missedFew
	missedMany // more than manyMissed
)

// manyMissed is when missed starts are worth a warning: a clock may be wrong.
const manyMissed = 100

var errSameTime = errors.New("time difference between two schedules is less than 1 second")

// latest finds the last time of a schedule that is not after now, zero if there
// is none since the last start (or the creation, or the deadline if that is to
// count). since is from when on it was looked for.
func latest(cj *cronJob, now time.Time, schedule cron.Schedule, deadline bool) (since, at time.Time, _ missed, _ error) {
	since = cj.meta.CreationTimestamp().Time().UTC()
	if cj.status.HasLastScheduleTime() {
		since = cj.status.LastScheduleTime().Time().UTC()
	}
	if deadline && cj.spec.HasStartingDeadlineSeconds() {
		if limit := now.Add(-time.Duration(cj.spec.StartingDeadlineSeconds()) * time.Second); limit.After(since) {
			since = limit
		}
	}
	first := schedule.Next(since)
	second := schedule.Next(first)
	if now.Before(first) {
		return since, time.Time{}, missedNone, nil
	}
	if now.Before(second) {
		return since, first, missedNone, nil
	}
	// A 31st of February never comes: both times are zero then.
	interval := int64(second.Sub(first).Round(time.Second).Seconds())
	if interval < 1 {
		return since, time.Time{}, missedNone, errSameTime
	}
	// So many intervals fit in between. One is gone back, and from there the
	// schedule itself is asked: intervals need not be equal.
	count := int64(now.Sub(first).Seconds())/interval + 1
	from := first.Add(time.Duration((count-2)*interval) * time.Second)
	for t := schedule.Next(from); !t.After(now); t = schedule.Next(t) {
		at = t
	}
	if count > manyMissed {
		return since, at, missedMany, nil
	}
	return since, at, missedFew, nil
}

// untilNext is the time until the schedule's next start.
func untilNext(cj *cronJob, now time.Time, schedule cron.Schedule) time.Duration {
	since, at, count, err := latest(cj, now, schedule, false)
	switch {
	case err != nil:
		at = now
	case at.IsZero() && count == missedNone:
		at = since
	case at.IsZero():
		at = now
	}
	return schedule.Next(at).Add(delta).Sub(now)
}

// due is the start that is due, zero if there is none.
func due(cj *cronJob, now time.Time, schedule cron.Schedule, told *events) (time.Time, error) {
	_, at, count, err := latest(cj, now, schedule, true)
	if at.IsZero() || at.After(now) {
		return time.Time{}, err
	}
	if count == missedMany {
		told.add(sdk.Warning, "TooManyMissedTimes", "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew")
	}
	return at, err
}
