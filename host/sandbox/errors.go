package sandbox

import (
	"errors"
	"fmt"
	"strings"
)

// ErrMalformed is what a Reader's error wraps where the queries don't decode:
// the guest is told and may go on.
var ErrMalformed = errors.New("malformed queries")

// ErrReadLimit is what a Reader's error wraps where a reconcile has read as much
// as it may: the guest is told and may go on.
var ErrReadLimit = errors.New("read limit reached")

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
	if e.Cause != nil {
		text += ": " + oneLine(e.Cause.Error())
	}
	return text
}

// Unwrap gives the cause.
func (e *LoadError) Unwrap() error { return e.Cause }

// Hint says what to do about it; it may be empty.
func (e *LoadError) Hint() string { return e.hint }

// TrapError says that a guest's code ended a call: by a trap, by exiting, or by
// an answer that is none. The instance is gone.
type TrapError struct {
	Module string
	// Export is the function that was called.
	Export string
	Cause  error
	// LastLines are the guest's last log lines in that call.
	LastLines []string
}

// Error implements error, in one line: wazero's stack trace is left out.
func (e *TrapError) Error() string {
	text := fmt.Sprintf("guest %s failed in %s: %s", e.Module, e.Export, oneLine(e.Cause.Error()))
	if n := len(e.LastLines); n > 0 {
		text += fmt.Sprintf(" (it last said %q)", e.LastLines[n-1])
	}
	return text
}

// Unwrap gives the cause.
func (e *TrapError) Unwrap() error { return e.Cause }

// LimitError says that a guest asked for more than it may have.
type LimitError struct {
	Limit string
	Value int64
	Asked int64
}

// Error implements error.
func (e *LimitError) Error() string {
	return fmt.Sprintf("limit reached: %s is %d, and %d was asked for", e.Limit, e.Value, e.Asked)
}

// oneLine cuts what wazero appends to an error: the guest's stack.
func oneLine(s string) string {
	s, _, _ = strings.Cut(s, "\nwasm stack trace")
	return strings.Join(strings.Fields(s), " ")
}
