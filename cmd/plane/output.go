package plane

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// readyLine is what devplane says when everything is ready.
type readyLine struct{ kubeconfig, server string }

// parseReady reads "READY kubeconfig=<path> server=<url>". The path may contain
// spaces, the address does not.
func parseReady(line string) (readyLine, bool) {
	rest, ok := strings.CutPrefix(line, "READY kubeconfig=")
	if !ok {
		return readyLine{}, false
	}
	i := strings.LastIndex(rest, " server=")
	if i < 0 {
		return readyLine{}, false
	}
	return readyLine{kubeconfig: rest[:i], server: rest[i+len(" server="):]}, true
}

// lines is a writer that calls each with every complete line. One goroutine
// writes to it.
type lines struct {
	each func(string)
	part []byte
}

// Write takes what comes and passes on the lines that are complete.
func (l *lines) Write(data []byte) (int, error) {
	l.part = append(l.part, data...)
	for {
		line, rest, found := bytes.Cut(l.part, []byte{'\n'})
		if !found {
			return len(data), nil
		}
		l.each(string(line))
		l.part = rest
	}
}

// tailBytes is how much of devplane's stderr is kept.
const tailBytes = 8 << 10

// tail is a writer that keeps the end of what is written and passes it on.
type tail struct {
	also io.Writer // nil for nobody

	mu  sync.Mutex
	buf []byte
}

// Write never fails: that the reader of the other writer is gone is no reason
// to stop.
func (t *tail) Write(data []byte) (int, error) {
	if t.also != nil {
		_, _ = t.also.Write(data)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, data...)
	t.buf = t.buf[max(0, len(t.buf)-tailBytes):]
	return len(data), nil
}

// String is what devplane said last, without what it said of its progress
// before the error.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.buf))
	last := strings.LastIndex(text, "devplane: ")
	if last < 0 {
		return text
	}
	return text[last:]
}
