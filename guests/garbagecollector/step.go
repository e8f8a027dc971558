package main

import (
	"github.com/loopdock/loopdock/abi/wire"
	sdk "github.com/loopdock/loopdock/sdk-go"
)

// unsupportedMediaType is the HTTP status for a strategic patch of a kind that
// knows none.
const unsupportedMediaType = 415

// step is what a call leaves for the one that continues it.
type step struct {
	kind stepKind
	// rest is, after a deletion, the owner references that the object had; after
	// patches of dependents, whose these were.
	rest []byte
	// merge says that the object takes no strategic patch. It is found out from
	// the result.
	merge bool
}

type stepKind byte

const (
	stepNone   stepKind = 0
	stepPatch  stepKind = 'p' // the references were patched
	stepDelete stepKind = 'd'
	stepOrphan stepKind = 'o' // dependents' references were patched
)

func (s step) encode() []byte { return append([]byte{byte(s.kind)}, s.rest...) }

func decodeStep(b []byte) step {
	if len(b) == 0 {
		return step{}
	}
	return step{kind: stepKind(b[0]), rest: b[1:]}
}

// outcome looks at what became of the step's action, the call's last one: whether
// that was the end of it. An object that is gone needs nothing more.
func (s *step) outcome(results []sdk.Result) (over bool, err error) {
	if s.kind != stepPatch && s.kind != stepDelete || len(results) == 0 {
		*s = step{}
		return false, nil
	}
	result := &results[len(results)-1]
	switch {
	case !result.Failed():
		over, s.kind = s.kind == stepDelete, stepNone
		return over, nil
	case result.Reason == sdk.NotFound:
		return true, nil
	case s.kind == stepPatch && result.Code == unsupportedMediaType:
		s.merge = true
		return false, nil
	case s.kind == stepDelete && result.Reason == sdk.Conflict && len(s.rest) > 0:
		return false, nil
	}
	return false, result.Err()
}

// ownerBytes is an object's owner references, to tell whether they changed.
func ownerBytes(o object) []byte {
	var out []byte
	for ref := range o.OwnerReferences() {
		out = wire.AppendRawBytes(out, 1, ref)
	}
	return out
}
