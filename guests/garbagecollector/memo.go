package main

import (
	"strconv"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// memo is what is remembered of an object.
type memo struct {
	// tries counts how often its owners could not be told for sure in a row.
	tries byte
	// told is the UID of the owner in another namespace that was told of.
	told string
}

func decodeMemo(b []byte) memo {
	if len(b) == 0 {
		return memo{}
	}
	return memo{tries: b[0], told: string(b[1:])}
}

func (m memo) keep(r *sdk.Reconcile) {
	if m == (memo{}) {
		r.SetMemo(nil)
		return
	}
	r.SetMemo(append([]byte{m.tries}, m.told...))
}

// settle notes that nothing need be tried again.
func (m memo) settle(r *sdk.Reconcile) {
	m.tries = 0
	m.keep(r)
}

// How far apart the same is tried again: twice as far each time.
const (
	firstRetry = 5 * time.Millisecond
	lastRetry  = 1000 * time.Second
	maxTries   = 18 // by then it is the longest time
)

// tryLater asks for another look, later each time.
func (m memo) tryLater(r *sdk.Reconcile) {
	r.RequeueAfter(min(firstRetry<<m.tries, lastRetry))
	m.tries = min(m.tries+1, maxTries)
	m.keep(r)
}

// tell records an Event about an owner in another namespace, once.
func (m *memo) tell(r *sdk.Reconcile, o object, ref metav1.OwnerReference) {
	if uid := ref.UID(); uid != m.told {
		m.told = uid
		if uid == "" {
			return
		}
		ns := o.Namespace()
		r.Event(sdk.Warning, "OwnerRefInvalidNamespace", "ownerRef ["+ref.APIVersion()+"/"+ref.Kind()+", namespace: "+ns+
			", name: "+ref.Name()+", uid: "+uid+"] does not exist in namespace "+strconv.Quote(ns))
	}
}
