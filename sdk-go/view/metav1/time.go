// Package metav1 holds views of the messages of k8s.io.apimachinery.pkg.apis.meta.v1.
package metav1

import "time"

// NewTime is t cut to seconds, as Kubernetes keeps it. Go's zero time gives
// the empty view.
func NewTime(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return NewUnixTime(t.Unix())
}

// NewUnixTime is the time so many seconds after the Unix epoch.
func NewUnixTime(seconds int64) Time { return Time(nil).WithSeconds(seconds).WithNanos(0) }

// IsZero reports whether no time is set. The Unix epoch is a time.
func (m Time) IsZero() bool { return len(m) == 0 }

// Unix is the time in seconds since the Unix epoch; zero if no time is set.
func (m Time) Unix() int64 { return m.Seconds() }

// Time is the time in UTC; Go's zero time if none is set. Nanoseconds are
// dropped, as Kubernetes does.
func (m Time) Time() time.Time {
	if m.IsZero() {
		return time.Time{}
	}
	return time.Unix(m.Seconds(), 0).UTC()
}

// Equal reports whether both are the same second, or no time.
func (m Time) Equal(other Time) bool {
	return m.IsZero() == other.IsZero() && m.Seconds() == other.Seconds()
}

// Before reports whether m is earlier than other. No time is before any time.
func (m Time) Before(other Time) bool {
	if m.IsZero() || other.IsZero() {
		return m.IsZero() && !other.IsZero()
	}
	return m.Seconds() < other.Seconds()
}
