package meta

import (
	"strings"

	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// requirement is one condition of a label selector.
type requirement struct {
	key    string
	op     operator
	values []string // sorted
}

type operator uint8

const (
	equals operator = iota // from matchLabels
	in
	notIn
	exists
	doesNotExist
)

var operators = map[string]operator{
	metav1.LabelSelectorOpIn:           in,
	metav1.LabelSelectorOpNotIn:        notIn,
	metav1.LabelSelectorOpExists:       exists,
	metav1.LabelSelectorOpDoesNotExist: doesNotExist,
}

func (r *requirement) matches(labels view.StringMap) bool {
	value, found := labels.Lookup(r.key)
	switch r.op {
	case exists:
		return found
	case doesNotExist:
		return !found
	case notIn:
		return !found || !r.hasValue(value)
	default:
		return found && r.hasValue(value)
	}
}

func (r *requirement) hasValue(value []byte) bool {
	for _, v := range r.values { //nolint:modernize // slices.Contains would make value a string for good
		if v == string(value) {
			return true
		}
	}
	return false
}

// check refuses what the API server refuses.
func (r *requirement) check() error {
	switch {
	case !isLabelKey(r.key):
		return Error("a label selector has a malformed key: " + string(appendQuoted(nil, r.key)))
	case len(r.values) == 0 && (r.op == in || r.op == notIn):
		return Error("a label selector has no values for its key " + r.key)
	case len(r.values) > 0 && (r.op == exists || r.op == doesNotExist):
		return Error("a label selector has values for its key " + r.key + ", of which only the presence counts")
	}
	for _, v := range r.values {
		if !isLabelValue(v) {
			return Error("a label selector has a malformed value for its key " + r.key + ": " + string(appendQuoted(nil, v)))
		}
	}
	return nil
}

func (r *requirement) write(b *strings.Builder) {
	switch r.op {
	case exists:
		b.WriteString(r.key)
	case doesNotExist:
		b.WriteString("!" + r.key)
	case equals:
		b.WriteString(r.key + "=" + r.values[0])
	case in:
		b.WriteString(r.key + " in (" + strings.Join(r.values, ",") + ")")
	case notIn:
		b.WriteString(r.key + " notin (" + strings.Join(r.values, ",") + ")")
	}
}
