package metav1

import "time"

// NewMicroTime is t cut to microseconds, as Kubernetes keeps it. Go's zero
// time gives the empty view.
func NewMicroTime(t time.Time) MicroTime {
	if t.IsZero() {
		return MicroTime{}
	}
	nanos := time.Duration(t.Nanosecond()).Truncate(time.Microsecond)
	return MicroTime(nil).WithSeconds(t.Unix()).WithNanos(int32(nanos)) //nolint:gosec // below one second
}

// IsZero reports whether no time is set. The Unix epoch is a time.
func (m MicroTime) IsZero() bool { return len(m) == 0 }

// Unix is the time in seconds since the Unix epoch; zero if no time is set.
func (m MicroTime) Unix() int64 { return m.Seconds() }

// UnixMicro is the time in microseconds since the Unix epoch; zero if no time
// is set.
func (m MicroTime) UnixMicro() int64 { return m.Seconds()*1e6 + int64(m.Nanos())/1e3 }

// Time is the time in UTC; Go's zero time if none is set. What is finer than a
// microsecond is dropped, as Kubernetes does.
func (m MicroTime) Time() time.Time {
	if m.IsZero() {
		return time.Time{}
	}
	return time.Unix(m.Seconds(), int64(time.Duration(m.Nanos()).Truncate(time.Microsecond))).UTC()
}
