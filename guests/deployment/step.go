package main

import (
	"strconv"
	"strings"
)

// step is what a call did that the next one continues.
type step struct {
	kind stepKind
	// uid is the Deployment's: another one may have its name by now.
	uid string
	// name is that of the ReplicaSet that was to be created, and replicas the
	// number of Pods that it was to begin with.
	name     string
	replicas int32
}

type stepKind byte

const (
	stepNone    stepKind = 0
	stepClaimed stepKind = 'c' // ReplicaSets were adopted or released
	stepRevised stepKind = 'r' // the new ReplicaSet's annotations were updated
	stepCreated stepKind = 'n' // the new ReplicaSet was created
	stepRolled  stepKind = 'u' // ReplicaSets were scaled for a roll-out
	stepResized stepKind = 's' // ReplicaSets were scaled since the Deployment was
)

// encode gives the bytes to continue with: the kind, and a line each for the
// UID, the name and the number.
func (s step) encode() []byte {
	b := append([]byte{byte(s.kind)}, s.uid...)
	b = append(append(b, '\n'), s.name...)
	return strconv.AppendInt(append(b, '\n'), int64(s.replicas), 10)
}

// decodeStep is what the call before this one did, none if it was about
// another Deployment.
func decodeStep(b []byte, uid string) step {
	if len(b) == 0 {
		return step{}
	}
	of, rest, _ := strings.Cut(string(b[1:]), "\n")
	if of != uid {
		return step{}
	}
	name, number, _ := strings.Cut(rest, "\n")
	replicas, _ := strconv.ParseInt(number, 10, 32)
	return step{kind: stepKind(b[0]), uid: uid, name: name, replicas: int32(replicas)}
}
