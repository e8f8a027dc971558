package hosttest

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// Patience bounds every wait for something that is to happen soon.
const Patience = time.Minute

// Eventually waits until f holds, and fails the test if it does not soon.
func Eventually(tb testing.TB, what string, f func() bool) {
	tb.Helper()
	EventuallyWithin(tb, Patience, what, f)
}

// EventuallyWithin is Eventually with a bound of its own.
func EventuallyWithin(tb testing.TB, bound time.Duration, what string, f func() bool) {
	tb.Helper()
	err := wait.PollUntilContextTimeout(tb.Context(), 10*time.Millisecond, bound, true, func(context.Context) (bool, error) { return f(), nil })
	if err != nil {
		tb.Fatalf("waited in vain until %s", what)
	}
}

// Throughout checks that f holds for a time.
func Throughout(tb testing.TB, d time.Duration, what string, f func() bool) {
	tb.Helper()
	failed := false
	_ = wait.PollUntilContextTimeout(tb.Context(), 10*time.Millisecond, d, true, func(context.Context) (bool, error) { // its end is the timeout
		failed = !f()
		return failed, nil
	})
	if failed {
		tb.Fatalf("not throughout: %s", what)
	}
}
