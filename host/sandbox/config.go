package sandbox

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Config is what a Runtime is made of.
type Config struct {
	// CacheDir keeps compiled modules. It holds executable code: it is created
	// with mode 0700, and refused if others own or can write it. Empty compiles
	// anew in each process.
	CacheDir string
	// Limits of every instance.
	Limits Limits
	// Now is the host's clock, for measuring calls. Nil means the real one.
	Now        func() time.Time
	Logger     *slog.Logger
	Registerer prometheus.Registerer
}

// Limits bound what an instance may take. Zeros mean the defaults.
type Limits struct {
	// MemoryBytes is the most linear memory. Default 256 MiB.
	MemoryBytes int64
	// ResponseBytes is the longest response. Default 16 MiB.
	ResponseBytes int64
	// LogLineBytes is the longest log line; longer ones are cut. Default 4 KiB.
	LogLineBytes int
	// Fuel is how much a call may spend, in units of package meter: a guest spends
	// about four billion in a second. Initialisation and describe have as much.
	// Default 40 billion.
	Fuel int64
	// StackBytes is the native stack that a call may take. Default 1 MiB.
	StackBytes int64
	// CallTimeout ends a call that runs longer. Zero, the default, leaves it to
	// Fuel.
	CallTimeout time.Duration
}

// timed gives a context in which a call ends after the limit.
func (l Limits) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.CallTimeout == 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, l.CallTimeout, &LimitError{Limit: "nanoseconds of a call", Value: int64(l.CallTimeout)})
}

// check refuses limits that can't be meant.
func (l Limits) check() error {
	const least, most = 64 << 10, 4 << 30
	switch {
	case l.MemoryBytes < least || l.MemoryBytes > most:
		return fmt.Errorf("cannot limit linear memory to %d bytes: it is between 64 KiB and 4 GiB", l.MemoryBytes)
	case l.ResponseBytes < 0:
		return fmt.Errorf("cannot limit responses to %d bytes: the number is negative", l.ResponseBytes)
	case l.LogLineBytes < 0:
		return fmt.Errorf("cannot limit log lines to %d bytes: the number is negative", l.LogLineBytes)
	case l.Fuel < slice:
		return fmt.Errorf("cannot limit calls to %d units of fuel: it is %d or more", l.Fuel, int64(slice))
	case l.StackBytes < 4<<10:
		return fmt.Errorf("cannot limit the stack of calls to %d bytes: it is 4 KiB or more", l.StackBytes)
	case l.CallTimeout < 0:
		return fmt.Errorf("cannot limit calls to %s: the time is negative", l.CallTimeout)
	}
	return nil
}

func (l Limits) withDefaults() Limits {
	if l.MemoryBytes == 0 {
		l.MemoryBytes = 256 << 20
	}
	if l.ResponseBytes == 0 {
		l.ResponseBytes = 16 << 20
	}
	if l.Fuel == 0 {
		l.Fuel = 40_000_000_000
	}
	if l.StackBytes == 0 {
		l.StackBytes = 1 << 20
	}
	if l.LogLineBytes == 0 {
		l.LogLineBytes = 4 << 10
	}
	return l
}
