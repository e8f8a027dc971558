package sdk

import "strings"

// Failures is what went wrong with actions, in one line that begins with what
// could not be done; nil if nothing did. errors.As finds each ActionError.
func Failures(what string, results []Result) error {
	var all failures
	for i := range results {
		if err := results[i].Err(); err != nil {
			all.causes = append(all.causes, err)
		}
	}
	if len(all.causes) == 0 {
		return nil
	}
	all.what = what
	return &all
}

type failures struct {
	what   string
	causes []error
}

// Error implements error.
func (f *failures) Error() string {
	messages := make([]string, len(f.causes))
	for i, err := range f.causes {
		messages[i] = err.Error()
	}
	return f.what + ": " + strings.Join(messages, "; ")
}

// Unwrap gives the causes.
func (f *failures) Unwrap() []error { return f.causes }
