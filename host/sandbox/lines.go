package sandbox

import "bytes"

// lineWriter turns what a guest prints into log lines.
type lineWriter struct {
	world *world
	level int32
	rest  []byte // of a line without end; no more than is shown, and one to tell that it is cut
}

// Write implements io.Writer. What is printed outside of any call is lost.
func (l *lineWriter) Write(b []byte) (int, error) {
	n := len(b)
	if l.world.call == nil {
		return n, nil
	}
	for {
		line, after, ended := bytes.Cut(b, []byte{'\n'})
		room := l.world.call.max + 1 - len(l.rest)
		l.rest = append(l.rest, line[:min(room, len(line))]...)
		if !ended {
			return n, nil
		}
		l.flush()
		b = after
	}
}

// flush ends a line.
func (l *lineWriter) flush() {
	if len(l.rest) > 0 {
		l.world.call.line(l.level, l.rest)
	}
	l.rest = l.rest[:0]
}
