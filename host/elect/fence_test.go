package elect

import (
	"errors"
	"testing"
	"time"

	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"
)

func TestElapsedTakesTheClockThatAdvancedMore(t *testing.T) {
	mono := time.Now() //nolint:forbidigo // needs a monotonic reading
	cases := map[string]struct {
		reason   string
		from, to time.Time
		want     time.Duration
	}{
		"both":        {"no clock was moved", mono, mono.Add(time.Minute), time.Minute},
		"wall only":   {"the machine was suspended, or the clock was set", mono.Round(0), mono.Round(0).Add(time.Hour), time.Hour},
		"set back":    {"the wall clock runs backwards, time does not", mono, mono, 0},
		"nothing yet": {"no time has passed", mono, mono, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := elapsed(tc.from, tc.to); got != tc.want {
				t.Errorf("%s: %v, want %v", tc.reason, got, tc.want)
			}
		})
	}
}

func TestFenceClosesAtTheDeadline(t *testing.T) {
	fake := clocktesting.NewFakeClock(time.Unix(1_000_000, 0))
	var _ clock.WithTicker = fake
	f := &Fence{clock: fake, deadline: 10 * time.Second}
	f.open(fake.Now())
	fake.Step(10*time.Second - 1)
	if err := f.Allowed(); err != nil {
		t.Errorf("before the deadline: %v", err)
	}
	fake.Step(1)
	if err := f.Allowed(); !errors.Is(err, ErrNotRenewed) {
		t.Errorf("at the deadline: %v", err)
	}
	f.open(fake.Now())
	f.shut()
	if err := f.Allowed(); !errors.Is(err, ErrNotLeading) {
		t.Errorf("once given up: %v", err)
	}
}
