package informercache

import (
	"time"

	"k8s.io/utils/clock"
)

// endingClock is the Reflector's clock. Some of the Reflector's pauses wait on
// After alone, up to half a minute, whatever its context says: with this clock
// they are over when the watch ends.
type endingClock struct {
	clock.WithTicker
	ended  <-chan struct{}
	active *gate
}

// After implements clock.Clock.
func (c endingClock) After(d time.Duration) <-chan time.Time {
	fired := make(chan time.Time, 1)
	if c.active.enter() != nil {
		fired <- c.Now()
		return fired
	}
	timer := c.NewTimer(d)
	go func() { // the watch's run waits for it
		defer c.active.leave()
		defer timer.Stop()
		select {
		case now := <-timer.C():
			fired <- now
		case <-c.ended:
			fired <- c.Now()
		}
	}()
	return fired
}
