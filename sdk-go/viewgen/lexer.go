package main

import (
	"errors"
	"strings"
)

// lexer cuts the text of a .proto file into tokens: words (with their dots),
// quoted strings, and single signs. Comments are dropped.
type lexer struct {
	text string
	pos  int
	line int
}

// token returns the next token, empty at the end of the text.
func (l *lexer) token() (string, error) {
	for l.pos < len(l.text) {
		rest := l.text[l.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			l.skip(1)
		case strings.HasPrefix(rest, "//"):
			l.skip(lineLength(rest))
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return "", errors.New("a comment is not closed")
			}
			l.skip(end + 2)
		case c == '"':
			end := strings.IndexAny(rest[1:], "\"\n")
			if end < 0 || rest[1+end] == '\n' {
				return "", errors.New("a string is not closed")
			}
			return l.skip(end + 2), nil
		case isWord(c):
			n := 1
			for n < len(rest) && isWord(rest[n]) {
				n++
			}
			return l.skip(n), nil
		default:
			return l.skip(1), nil
		}
	}
	return "", nil
}

// skip moves n bytes on and returns them.
func (l *lexer) skip(n int) string {
	s := l.text[l.pos : l.pos+n]
	l.line += strings.Count(s, "\n")
	l.pos += n
	return s
}

func lineLength(s string) int {
	if n := strings.IndexByte(s, '\n'); n >= 0 {
		return n
	}
	return len(s)
}

func isWord(c byte) bool {
	return c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
