package meta

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// Selector is a compiled label selector. The zero Selector matches nothing.
type Selector struct {
	valid bool          // false: nothing matches
	reqs  []requirement // all must hold; none matches everything
}

// Everything is the selector that matches all objects.
func Everything() Selector { return Selector{valid: true} }

// NewSelector compiles a label selector.
//
// # Notes
//
//   - The nil view, which an absent field reads as, matches nothing; the empty
//     selector matches everything. So it is in Kubernetes.
//   - With an error comes a Selector that matches nothing.
//   - A Selector keeps nothing of the view, and may be used from several
//     goroutines.
func NewSelector(s metav1.LabelSelector) (Selector, error) {
	if s == nil {
		return Selector{}, nil
	}
	var reqs []requirement
	for key, value := range s.MatchLabels().All() {
		reqs = append(reqs, requirement{key: key, op: equals, values: []string{value}})
	}
	for e := range s.MatchExpressions() {
		op, ok := operators[e.Operator()]
		if !ok {
			return Selector{}, Error("a label selector has an unknown operator: " + e.Operator())
		}
		reqs = append(reqs, requirement{key: e.Key(), op: op, values: slices.Sorted(e.Values())})
	}
	for _, r := range reqs {
		if err := r.check(); err != nil {
			return Selector{}, err
		}
	}
	slices.SortStableFunc(reqs, func(a, b requirement) int { return cmp.Compare(a.key, b.key) })
	return Selector{valid: true, reqs: reqs}, nil
}

// Matches reports whether an object with these labels is selected.
func (s Selector) Matches(labels view.StringMap) bool {
	for i := range s.reqs {
		if !s.reqs[i].matches(labels) {
			return false
		}
	}
	return s.valid
}

// Empty reports whether the selector matches everything.
func (s Selector) Empty() bool { return s.valid && len(s.reqs) == 0 }

// Nothing reports whether the selector can match nothing, being absent or
// invalid. Its String does not tell it from one that matches everything.
func (s Selector) Nothing() bool { return !s.valid }

// String is the selector as a list request takes it, ordered by key.
func (s Selector) String() string {
	var b strings.Builder
	for i, r := range s.reqs {
		if i > 0 {
			b.WriteByte(',')
		}
		r.write(&b)
	}
	return b.String()
}
