package sandbox

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/abi"
)

// logged is one line.
type logged struct {
	Level   int32
	Message string
}

func logOf(t *testing.T, p *Pool) ([]logged, error) {
	t.Helper()
	var out []logged
	_, _, err := p.Reconcile(t.Context(), "key", request("key"), nil, func(level int32, message string) {
		out = append(out, logged{level, message})
	})
	return out, err
}

// TestPrinted: what a guest prints becomes lines, however it cuts its writes.
func TestPrinted(t *testing.T) {
	p := load(t, newRuntime(t, Config{}), "print").NewPool(PoolConfig{})
	want := []logged{
		{abi.LevelInfo, "one"},
		{abi.LevelInfo, "two"},
		{abi.LevelWarn, "warn"},
		{abi.LevelError, "logged"},
		{abi.LevelInfo, "thre"}, // the call's end ends it
	}
	for range 2 {
		got, err := logOf(t, p)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

// TestHalfALine: what has no end belongs to the call that printed it.
func TestHalfALine(t *testing.T) {
	p := load(t, newRuntime(t, Config{}), "print-half").NewPool(PoolConfig{})
	for range 2 {
		got, err := logOf(t, p)
		if diff := cmp.Diff([]logged{{abi.LevelWarn, "half"}}, got); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
}

// TestLogFlood: long lines are cut, a line without an end is one line, and an
// error keeps the last ones.
func TestLogFlood(t *testing.T) {
	got, err := logOf(t, load(t, newRuntime(t, Config{}), "log-flood").NewPool(PoolConfig{}))
	if len(got) != 1001 {
		t.Errorf("%d lines, and not a thousand and one", len(got))
	}
	for _, l := range got {
		if l.Message != xs {
			t.Fatalf("a line is %q", l.Message)
		}
	}
	trap := (*TrapError)(nil)
	if !errors.As(err, &trap) || len(trap.LastLines) != keptLines {
		t.Errorf("the error does not have the last lines: %v", err)
	}
}

// TestPanicOutput: of a report that is longer than what is kept, the head is.
func TestPanicOutput(t *testing.T) {
	got, err := logOf(t, load(t, newRuntime(t, Config{}), "panic").NewPool(PoolConfig{}))
	trap := (*TrapError)(nil)
	if !errors.As(err, &trap) {
		t.Fatal(err)
	}
	var all []string
	for _, l := range got {
		all = append(all, l.Message)
		if l.Level != abi.LevelWarn {
			t.Errorf("stderr is level %d", l.Level)
		}
	}
	if len(all) <= keptLines {
		t.Fatalf("only %d lines came", len(all))
	}
	if diff := cmp.Diff(all[:keptLines], trap.LastLines); diff != "" {
		t.Error(diff)
	}
}

// TestKeptLines: which lines an error shows, and which one it puts first.
func TestKeptLines(t *testing.T) {
	cases := map[string]struct {
		reason string
		lines  []string
		said   string
		kept   int
	}{
		"none":  {"a guest may say nothing", nil, "", 0},
		"last":  {"the last line is nearest to the end", []string{"a", "b"}, "b", 2},
		"go":    {"a panic's report begins with the cause", []string{"a", "panic: x", "goroutine 1"}, "panic: x", 2},
		"fatal": {"so does a fatal error's", []string{"fatal error: all goroutines are asleep", "goroutine 1"}, "fatal error: all goroutines are asleep", 2},
		"rust":  {"and Rust's", []string{"thread 'main' panicked at lib.rs:1", "x"}, "thread 'main' panicked at lib.rs:1", 2},
		"talk":  {"a line that looks a little like it", []string{"thread 'main' started", "x"}, "x", 2},
		"many":  {"the last ten", strings.Split(strings.Repeat("x ", 20)+"end", " "), "end", keptLines},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := &call{max: 100}
			for _, l := range tc.lines {
				c.line(0, []byte(l))
			}
			if c.said() != tc.said || len(c.lines) != tc.kept {
				t.Errorf("%s: %q of %d lines", tc.reason, c.said(), len(c.lines))
			}
		})
	}
}

// TestLineIsText: a line that is no UTF-8, or is cut inside a character, is made so.
func TestLineIsText(t *testing.T) {
	var got string
	c := &call{max: 3, log: func(_ int32, s string) { got = s }}
	c.line(0, []byte("ab\u00e9cd"))
	if diff := cmp.Diff("ab\uFFFD...", got); diff != "" {
		t.Error(diff)
	}
}
