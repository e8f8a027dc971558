package main

import (
	"errors"
	"time"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// reconcile looks at one node, or at the zones that all of them are in.
func reconcile(r *sdk.Reconcile) error {
	set, err := readSettings(r)
	if err != nil {
		return sdk.Terminal(err)
	}
	if name := r.Key().Name; name != controllerName {
		return keepNode(r, set, name)
	}
	return keepZones(r, set)
}

// keepNode takes at most three steps, each a call of its own where the one before
// it had something to do: the conditions of a node that is silent become unknown,
// its taints and labels follow, and its Pods are no longer ready.
func keepNode(r *sdk.Reconcile, set settings, name string) error {
	body, err := sdk.Get[corev1.Node](r, sdk.Query{Kind: kindNode, Name: name, Wakes: nodeWakes})
	was := decodeMemory(r.Memo())
	switch {
	case errors.Is(err, sdk.ErrNotFound):
		if was.uid != "" {
			tellNode(r, name, was.uid, "RemovingNode", "Removing Node "+name+" from Controller")
		}
		r.SetMemo(nil)
		return nil
	case err != nil:
		return err
	}
	if err := sdk.Failures("cannot keep Node "+name, r.Results()); err != nil {
		was.judged = time.Time{} // at once, when this is tried again
		r.SetMemo(was.encode())
		return err
	}
	n := newNode(body)
	if was.uid != n.meta.UID() {
		was = memory{}
		tellNode(r, name, n.meta.UID(), "RegisteredNode", "Registered Node "+name+" in Controller")
	}
	silent, now, err := listen(r, set, n, was)
	r.SetMemo(now.encode())
	if err != nil {
		return err
	}
	switch {
	case silent:
		n.declareUnknown(r)
		r.Continue(nil)
		return nil
	case n.mark(r):
		r.Continue(nil)
		return nil
	}
	return n.markPods(r)
}

// tellNode records an Event about a node.
func tellNode(r *sdk.Reconcile, name, uid, reason, message string) {
	r.EventAbout(kindNode, "", name, uid, sdk.Normal, reason, "Node "+name+" event: "+message)
}
