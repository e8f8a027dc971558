package sandbox

import (
	"context"
	"strings"
)

// call is what host functions need to know of the call that they are made in.
type call struct {
	reader  Reader // nil outside of reconcile
	log     Logger
	answers map[string][]byte // by queries: the same question has the same answer
	lines   []string          // the last lines logged
	max     int               // the longest line
	died    bool              // the lines begin with a report of why
	tank    tank
}

// keptLines is how many lines a TrapError shows.
const keptLines = 10

type callKey struct{}

func (c *call) in(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, c) }

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call) // nil is a call that knows nothing
	return c
}

// line passes a log line on, cut to its limit.
func (c *call) line(level int32, b []byte) {
	if len(b) > c.max {
		b = append(b[:c.max:c.max], "..."...)
	}
	text := strings.ToValidUTF8(string(b), "\uFFFD")
	c.keep(text)
	if c.log != nil {
		c.log(level, text)
	}
}

// keep remembers the last lines, or the first ones since the guest began to say
// why it ends.
func (c *call) keep(text string) {
	switch {
	case !c.died && lastWords(text):
		c.died, c.lines = true, nil
	case c.died && len(c.lines) == keptLines:
		return
	case len(c.lines) == keptLines:
		c.lines = c.lines[1:]
	}
	c.lines = append(c.lines, text)
}

// said is the line that tells most of why a call ended, or nothing.
func (c *call) said() string {
	switch {
	case len(c.lines) == 0:
		return ""
	case c.died:
		return c.lines[0]
	default:
		return c.lines[len(c.lines)-1]
	}
}

// lastWords reports whether a line is what the runtimes of Go and Rust print
// before they end: it tells most, and the stack after it little.
func lastWords(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") ||
		strings.HasPrefix(line, "thread '") && strings.Contains(line, " panicked at ")
}
