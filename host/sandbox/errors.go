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

// TrapError says that a guest's code ended a call: by a trap, by exiting, or by
// an answer that is none. The instance is gone.
type TrapError struct {
	Module string
	// Export is the function that was called.
	Export string
	Cause  error
	// LastLines are the guest's last log lines in that call.
	LastLines []string
	said      string // the one line that tells most
}

// Error implements error, in one line: wazero's stack trace is left out.
func (e *TrapError) Error() string {
	return fmt.Sprintf("guest %s failed in %s: %s", e.Module, e.Export, e.reason())
}

func (e *TrapError) reason() string {
	text := oneLine(e.Cause.Error())
	if e.said != "" {
		text += fmt.Sprintf(" (it said %q)", e.said)
	}
	return text
}

// Unwrap gives the cause.
func (e *TrapError) Unwrap() error { return e.Cause }

// LimitError says that a guest asked for more than it may have.
type LimitError struct {
	Limit string
	Value int64
	Asked int64 // zero where it can't be told
}

// Error implements error.
func (e *LimitError) Error() string {
	text := fmt.Sprintf("limit reached: %s is %d", e.Limit, e.Value)
	if e.Asked != 0 {
		text += fmt.Sprintf(", and %d was asked for", e.Asked)
	}
	return text
}

// hostError is what the host could not do while a guest ran: the guest is not
// to blame.
type hostError struct {
	what  string
	cause error
}

func (e *hostError) Error() string {
	return "the host could not " + e.what + ": " + oneLine(e.cause.Error())
}
func (e *hostError) Unwrap() error { return e.cause }

// oneLine cuts what wazero appends to an error, the guest's stack, and joins
// joined errors.
func oneLine(s string) string {
	s, _, _ = strings.Cut(s, "\nwasm stack trace")
	s = strings.TrimSuffix(s, " (recovered by wazero)")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
