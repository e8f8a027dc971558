package main

import "strings"

// step is what a call did that the next one continues.
type step struct {
	kind stepKind
	// uid is the ReplicaSet's: another one may have its name by now.
	uid string
	// deleting are the names of the Pods that were to be deleted, in the
	// order of the actions; none if Pods were to be created.
	deleting []string
}

type stepKind byte

const (
	stepNone    stepKind = 0
	stepClaimed stepKind = 'c'
	stepScaled  stepKind = 's'
)

// encode gives the bytes to continue with: the kind, the UID, and a line for
// each name.
func (s step) encode() []byte {
	b := append([]byte{byte(s.kind)}, s.uid...)
	b = append(b, '\n')
	for _, name := range s.deleting {
		b = append(b, name...)
		b = append(b, '\n')
	}
	return b
}

// decodeStep is what the call before this one did, none if it was about
// another ReplicaSet.
func decodeStep(b []byte, uid string) step {
	if len(b) == 0 {
		return step{}
	}
	of, names, _ := strings.Cut(string(b[1:]), "\n")
	if of != uid {
		return step{}
	}
	s := step{kind: stepKind(b[0]), uid: uid}
	for name := range strings.Lines(names) {
		s.deleting = append(s.deleting, strings.TrimSuffix(name, "\n"))
	}
	return s
}
