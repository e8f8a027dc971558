package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// lines is a writer that passes on whole lines, each with something before it,
// and shows them to each.
type lines struct {
	to     io.Writer
	before string
	each   func(string) // nil for nobody

	mu   sync.Mutex
	rest []byte
}

// Write implements io.Writer.
func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte{'\n'})
		if !found {
			return len(b), nil
		}
		if l.each != nil {
			l.each(string(line))
		}
		_, _ = fmt.Fprintf(l.to, "%s%s\n", l.before, line)
		l.rest = rest
	}
}
