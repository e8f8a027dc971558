package hosttest

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
)

// Log keeps what is logged, and shows it if the test fails.
type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// NewLog makes a log of a test.
func NewLog(tb testing.TB, name string) *Log {
	tb.Helper()
	l := &Log{}
	tb.Cleanup(func() {
		if tb.Failed() {
			const most = 20 << 10
			text := l.String()
			tb.Logf("the log of %s ends:\n%s", name, text[max(0, len(text)-most):])
		}
	})
	return l
}

// Logger writes to the log.
func (l *Log) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelInfo}))
}

// Write implements io.Writer.
func (l *Log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

// String is all that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Has reports whether one line has all the parts.
func (l *Log) Has(parts ...string) bool {
	for line := range strings.Lines(l.String()) {
		all := true
		for _, p := range parts {
			all = all && strings.Contains(line, p)
		}
		if all {
			return true
		}
	}
	return false
}
