package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/loopdock/loopdock/host/meter"
)

// LoadError says why a module can't be docked.
type LoadError struct {
	// Module is what the module was loaded as: its file.
	Module string
	// Problem is what is wrong with it.
	Problem string
	Cause   error
	hint    string
}

// Error implements error.
func (e *LoadError) Error() string {
	text := fmt.Sprintf("cannot dock %s: %s", e.Module, e.Problem)
	if e.Cause == nil {
		return text
	}
	if trap := (*TrapError)(nil); errors.As(e.Cause, &trap) {
		return text + ", in " + trap.Export + ": " + trap.reason()
	}
	return text + ": " + oneLine(e.Cause.Error())
}

// Unwrap gives the cause.
func (e *LoadError) Unwrap() error { return e.Cause }

// Hint says what to do about it; it may be empty.
func (e *LoadError) Hint() string { return e.hint }

// compileError tells a bad module from a bad cache.
func compileError(name string, err error) error {
	if file := (*fs.PathError)(nil); errors.As(err, &file) || strings.HasPrefix(err.Error(), "compilationcache: ") {
		return &LoadError{Module: name, Problem: "the folder for compiled modules can't be used", Cause: err, hint: "empty the folder, and see that it can be written"}
	}
	return &LoadError{Module: name, Problem: "it is not a valid WebAssembly module", Cause: err, hint: "build it again; the file may be damaged"}
}

// meterError tells what is wrong with a module from what is wrong with the cache.
func meterError(name string, err error) error {
	limit, reserved, format := (*meter.LimitError)(nil), (*meter.ReservedError)(nil), (*meter.FormatError)(nil)
	switch {
	case errors.As(err, &limit):
		err = &LimitError{Limit: limit.Limit, Value: int64(limit.Value), Asked: int64(limit.Asked)} //nolint:gosec // sizes
		return &LoadError{Module: name, Problem: "it asks for more than a module may have", Cause: err, hint: "make it smaller, or raise the host's limit"}
	case errors.As(err, &reserved):
		return &LoadError{Module: name, Problem: "it uses a name that is the host's", Cause: err, hint: "call it something else"}
	case errors.As(err, &format):
		return &LoadError{Module: name, Problem: "it is not a valid WebAssembly module", Cause: err, hint: "build it again; the file may be damaged"}
	}
	return compileError(name, err)
}

// describeError tells a module that is broken from one that needs more than it
// may have.
func describeError(name string, err error) error {
	hint := buildHint
	if limit := (*LimitError)(nil); errors.As(err, &limit) {
		hint = "make it smaller or quicker, or raise the host's limit"
	}
	return &LoadError{Module: name, Problem: "it fails before it can say what it is", Cause: err, hint: hint}
}
