package queue

import "time"

// watchClock lets keys go when their time has come.
func (q *Queue[K]) watchClock() {
	for {
		stopTimer := func() bool { return false }
		var ripe <-chan time.Time
		if wait, some := q.ripen(); some {
			timer := q.clock.NewTimer(wait)
			ripe, stopTimer = timer.C(), timer.Stop
		}
		select {
		case <-ripe:
		case <-q.kick:
			stopTimer()
		case <-q.stop:
			stopTimer()
			return
		}
	}
}

// ripen lets the keys go whose time has come, and says how long it is until the
// next one, if there is one.
func (q *Queue[K]) ripen() (time.Duration, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock.Now()
	for len(q.timers) > 0 {
		e := q.timers[0]
		if wait := e.due().Sub(now); wait > 0 {
			return wait, true
		}
		if !e.backOff.IsZero() {
			e.backOff = time.Time{}
			e.remember(e.run)
		} else {
			e.requeue = time.Time{}
			e.remember(Normal)
		}
		q.settle(e)
	}
	return 0, false
}

// wake tells watchClock that the earliest time may have changed.
func (q *Queue[K]) wake() {
	select {
	case q.kick <- struct{}{}:
	default:
	}
}
