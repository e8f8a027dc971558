package informercache

import (
	"bytes"
	"time"
)

// observations are the times at which the observed fields of one object were
// last seen to change. It never changes.
type observations struct {
	paths []Path  // shared by all objects of a store
	times []int64 // Unix nanoseconds, one a path
}

func (s *observations) at(p Path) (time.Time, bool) {
	if s == nil {
		return time.Time{}, false
	}
	for i := range s.paths {
		if s.paths[i].equal(p) {
			return time.Unix(0, s.times[i]), true
		}
	}
	return time.Time{}, false
}

// observe notes on o, which nobody else has seen yet, when the fields at
// the paths were last seen to change, given the state before it (nil if none).
func observe(o, before *Object, paths []Path, now time.Time) {
	if len(paths) == 0 {
		return
	}
	s := &observations{paths: paths, times: make([]int64, len(paths))}
	for i, p := range paths {
		s.times[i] = now.UnixNano()
		if before == nil {
			continue
		}
		if t, ok := before.Observed(p); ok && bytes.Equal(before.Field(p), o.Field(p)) {
			s.times[i] = t.UnixNano()
		}
	}
	o.seen = s
}
