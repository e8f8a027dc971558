package docking

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

// Lines is a writer that passes on whole lines.
//
// It is safe for use by several goroutines.
type Lines struct {
	// To takes the lines, each with Before before it.
	To     io.Writer
	Before string
	// Style changes a line before it is passed on; nil leaves it as it is.
	Style func(line string) string
	// Each is shown every line as it came; nil for nobody.
	Each func(line string)

	mu   sync.Mutex
	rest []byte
}

// Write implements io.Writer.
func (l *Lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	for {
		line, rest, found := bytes.Cut(l.rest, []byte{'\n'})
		if !found {
			return len(b), nil
		}
		text := string(line)
		if l.Each != nil {
			l.Each(text)
		}
		if l.Style != nil {
			text = l.Style(text)
		}
		_, _ = fmt.Fprintf(l.To, "%s%s\n", l.Before, text)
		l.rest = rest
	}
}
