package sdk

import "github.com/loopdock/loopdock/abi"

// ReadError says why a query has no answer. errors.Is tells its causes apart:
// ErrNotFound, ErrNoSuchKind, ErrDenied, ErrUnsupported, ErrInvalid and ErrLimit.
type ReadError struct {
	Query   Query
	Status  abi.AnswerStatus
	Message string
	// Reason and Code are the API server's, where a live read failed.
	Reason string
	Code   int32

	limit bool
}

// causeError is a cause of a ReadError.
type causeError string

// Error implements error.
func (c causeError) Error() string { return string(c) }

// Causes of a ReadError.
const (
	// ErrNotFound: there is no such object.
	ErrNotFound causeError = "not found"
	// ErrNoSuchKind: the API server does not serve the kind.
	ErrNoSuchKind causeError = "no such kind"
	// ErrDenied: the controller was not granted this.
	ErrDenied causeError = "denied"
	// ErrUnsupported: this host does not offer what was asked for.
	ErrUnsupported causeError = "not supported by this host"
	// ErrInvalid: the query makes no sense, such as that for an owner in a
	// namespace on behalf of an object without one.
	ErrInvalid causeError = "invalid"
	// ErrLimit: this reconcile has read as much as it may.
	ErrLimit causeError = "read limit reached"
)

// Is reports whether the error has that cause.
func (e *ReadError) Is(target error) bool {
	switch target {
	case ErrNotFound:
		return e.Status == abi.AnswerStatusNotFound || e.Code == 404
	case ErrNoSuchKind:
		return e.Status == abi.AnswerStatusNoSuchKind
	case ErrDenied:
		return e.Status == abi.AnswerStatusDenied || e.Code == 403
	case ErrUnsupported:
		return e.Status == abi.AnswerStatusUnsupported
	case ErrInvalid:
		return e.Status == abi.AnswerStatusInvalid && !e.limit
	case ErrLimit:
		return e.limit
	}
	return false
}

// Error implements error.
func (e *ReadError) Error() string {
	out := "cannot read " + describeQuery(&e.Query) + ": " + statusText(e.Status)
	if e.Message != "" {
		out += ": " + e.Message
	}
	return out
}

func describeQuery(q *Query) string {
	out := q.Resource
	if q.Kind != nil {
		out = q.Kind.Kind
	}
	switch q.Type {
	case abi.QueryTypeDiscovery:
		return "what the API server serves"
	case abi.QueryTypeMemo:
		out = "the memo of"
	default:
	}
	if q.Name != "" {
		return out + " " + qualified(q.Namespace, q.Name)
	}
	if q.Namespace != "" {
		out += " objects in " + q.Namespace
	}
	return out
}

func qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

func statusText(s abi.AnswerStatus) string {
	switch s {
	case abi.AnswerStatusNotFound:
		return string(ErrNotFound)
	case abi.AnswerStatusNoSuchKind:
		return string(ErrNoSuchKind)
	case abi.AnswerStatusDenied:
		return string(ErrDenied)
	case abi.AnswerStatusUnsupported:
		return string(ErrUnsupported)
	case abi.AnswerStatusInvalid:
		return string(ErrInvalid)
	default:
		return "failed"
	}
}

// AnswerError is why a query has no answer, nil if it has one.
func AnswerError(q Query, a *Answer) error {
	if a.Status == abi.AnswerStatusOK {
		return nil
	}
	return &ReadError{Query: q, Status: a.Status, Message: a.Message, Reason: a.Reason, Code: a.Code}
}

// readFailure puts a negative result of the host's read into words.
func readFailure(code int32) string {
	switch code {
	case abi.ReadLimit:
		return string(ErrLimit)
	case abi.ReadNotReconciling:
		return "reads are for reconciles"
	case abi.ReadMalformed:
		return "the host could not decode the query"
	}
	return "the host could not reach the buffer"
}

// terminalError is an error that retrying does not help.
type terminalError struct{ cause error }

// Error implements error.
func (e *terminalError) Error() string { return e.cause.Error() }

// Unwrap gives the cause.
func (e *terminalError) Unwrap() error { return e.cause }

// Terminal marks an error as one that retrying does not help: the key waits for
// the next change. Nil stays nil.
func Terminal(err error) error {
	if err == nil {
		return nil
	}
	return &terminalError{err}
}
