package sandbox

import (
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
	// CallTimeout ends a call that runs longer. Zero, the default, means no
	// limit: wazero can only end a call in code that checks, which makes guests
	// several times slower.
	CallTimeout time.Duration
}

func (l Limits) withDefaults() Limits {
	if l.MemoryBytes == 0 {
		l.MemoryBytes = 256 << 20
	}
	if l.ResponseBytes == 0 {
		l.ResponseBytes = 16 << 20
	}
	if l.LogLineBytes == 0 {
		l.LogLineBytes = 4 << 10
	}
	return l
}
