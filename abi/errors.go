package abi

import "strconv"

// FieldError says where a message could not be decoded.
type FieldError struct {
	Message string // the message's name in loopdock.proto
	Field   int    // the field's number, zero if the message failed before its first field
	Cause   error
}

// Error implements error.
func (e *FieldError) Error() string {
	return "cannot decode " + e.Message + ", field " + strconv.Itoa(e.Field) + ": " + e.Cause.Error()
}

// Unwrap gives the cause.
func (e *FieldError) Unwrap() error { return e.Cause }
