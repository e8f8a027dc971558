package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// line turns an error and its hint into one line.
func line(err error) string {
	text := oneLine(err.Error())
	if h := interface{ Hint() string }(nil); errors.As(err, &h) && h.Hint() != "" {
		text += " (" + oneLine(h.Hint()) + ")"
	}
	return text
}

// oneLine puts the lines of a text behind one another.
func oneLine(text string) string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return strings.Join(parts, "; ")
}

// hinted adds a remedy to an error that has none.
type hinted struct {
	error
	hint string
}

// Unwrap gives the error itself.
func (e *hinted) Unwrap() error { return e.error }

// Hint says what to do about it.
func (e *hinted) Hint() string { return e.hint }

// remedied adds the remedy for what the host can't have.
func remedied(err error) error {
	switch file := (*fs.PathError)(nil); {
	case err == nil:
		return nil
	case errors.As(err, &file):
		return &hinted{err, "name another folder by --cache-dir"}
	case errors.Is(err, syscall.EADDRINUSE), errors.Is(err, syscall.EADDRNOTAVAIL):
		return &hinted{err, "name another address by --metrics-address; port 0 takes a free one"}
	default:
		return err
	}
}

// fileError names the file, the reason and the remedy.
func fileError(what, path string, err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err // it names the path once more
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s %s does not exist (check the path)", what, path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s %s may not be read (check the permissions of it and of its folder)", what, path)
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%s %s is a folder (name a file)", what, path)
	default:
		return fmt.Errorf("cannot read %s %s: %w (check the path)", what, path, err)
	}
}
