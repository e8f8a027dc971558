package sdk

import "github.com/loopdock/loopdock/abi"

// Result is what became of an action: see the ABI for the fields.
type Result struct{ abi.Result }

// Reasons of failure that controllers tell apart, as the API names them.
const (
	NotFound      = "NotFound"
	AlreadyExists = "AlreadyExists"
	Conflict      = "Conflict"
	Invalid       = "Invalid"
	Forbidden     = "Forbidden"
)

// OK reports whether the action was done, or was not needed.
func (r *Result) OK() bool {
	return r.Outcome == abi.OutcomeOK || r.Outcome == abi.OutcomeUnchanged
}

// Failed reports whether the action was tried and refused, or has an unknown end.
func (r *Result) Failed() bool {
	return r.Outcome == abi.OutcomeFailed || r.Outcome == abi.OutcomeUnknown
}

// Skipped reports whether the action was not tried, since one before it failed.
func (r *Result) Skipped() bool { return r.Outcome == abi.OutcomeSkipped }

// HasCause reports whether a failure has that cause ("NamespaceTerminating").
func (r *Result) HasCause(reason string) bool {
	for i := range r.Causes {
		if r.Causes[i].Reason == reason {
			return true
		}
	}
	return false
}

// Err is the failure as an error, nil if the action did not fail.
func (r *Result) Err() error {
	if !r.Failed() {
		return nil
	}
	return &ActionError{Reason: r.Reason, Message: r.Message, Code: r.Code}
}

// ActionError is the failure of an action.
type ActionError struct {
	// Reason is the API's or the host's, Message its words, Code the HTTP
	// status, zero if there was no answer.
	Reason  string
	Message string
	Code    int32
}

// Error is the message as the API server gave it.
func (e *ActionError) Error() string {
	if e.Message == "" {
		return e.Reason
	}
	return e.Message
}
