package sdk

import (
	"time"

	"github.com/loopdock/loopdock/abi"
)

// What a reconcile is given: see the ABI for the fields.
type (
	// Key names what a reconcile is about.
	Key = abi.Key
	// Reason is why a key was woken.
	Reason = abi.Reason
	// Object is an object with what the host knows about it.
	Object = abi.Object
)

// Reconcile is one call for one key: what is known, and what is wanted.
type Reconcile struct {
	controller *Controller
	req        *abi.Request
	uid        string // of the key's object, for the events about it

	batches   []*Batch
	open      *Batch // the batch that the Reconcile's own verbs go to
	requeue   time.Duration
	memo      []byte
	samples   []abi.Sample
	continues bool
	next      []byte
}

func newReconcile(c *Controller, req *abi.Request) *Reconcile {
	if req.Key == nil {
		req.Key = &abi.Key{}
	}
	return &Reconcile{controller: c, req: req, memo: req.Memo, uid: primaryUID(req)}
}

// Key is what this reconcile is about.
func (r *Reconcile) Key() Key { return *r.req.Key }

// Exists reports whether the key's object is there. It is false for virtual keys.
func (r *Reconcile) Exists() bool { return r.req.Object != nil }

// Object is the key's object, nil if there is none:
//
//	pod := corev1.Pod(r.Object())
func (r *Reconcile) Object() []byte {
	if r.req.Object == nil {
		return nil
	}
	return r.req.Object.Body
}

// Kind is the kind of the key's object: the primary kind, or of a wildcard key
// the one that its object has. It is nil where there is neither.
func (r *Reconcile) Kind() *Kind {
	switch {
	case r.controller.Primary != nil:
		return r.controller.Primary.Kind
	case r.req.Object != nil:
		return r.req.Object.Kind
	}
	return nil
}

// Observed is when the host last saw a change of the key's object in the
// observed field with that number, counted from 0 in the manifest's order. It
// is zero where nothing was observed.
func (r *Reconcile) Observed(field int) time.Time { return ObservedAt(r.req.Object, field) }

// ObservedAt is the same for any object.
func ObservedAt(o *Object, field int) time.Time {
	if o == nil || field >= len(o.ObservedNS) {
		return time.Time{}
	}
	return time.Unix(0, o.ObservedNS[field]).UTC()
}

// Reasons is why the key was woken: a hint, since equal reasons are merged and
// long lists are cut.
func (r *Reconcile) Reasons() []Reason { return r.req.Reasons }

// Now is the time of this reconcile. It stands still.
func (r *Reconcile) Now() time.Time { return time.Unix(0, r.req.NowNS).UTC() }

// Attempt is how many times in a row the key has failed before.
func (r *Reconcile) Attempt() int { return int(r.req.Attempt) }

// Config is the operator's configuration as JSON, empty for the defaults.
func (r *Reconcile) Config() []byte { return r.req.Config }

// Memo is what the last reconcile of this key left.
func (r *Reconcile) Memo() []byte { return r.req.Memo }

// SetMemo leaves bytes, at most 4 KiB, for the next reconcile of this key. Where
// it is not called, the memo stays. Memos are lost when the host ends.
func (r *Reconcile) SetMemo(b []byte) { r.memo = b }

// RequeueAfter asks for another call after d, if nothing wakes the key before.
// The shortest time asked for counts.
func (r *Reconcile) RequeueAfter(d time.Duration) {
	d = max(d, 1) // zero would mean not at all
	if r.requeue == 0 || d < r.requeue {
		r.requeue = d
	}
}

// Continue asks for another call with these bytes, and with the results of the
// actions, as soon as the actions are done and the cache shows what they did.
func (r *Reconcile) Continue(b []byte) { r.continues, r.next = true, b }

// Continues reports whether this call goes on from an earlier one that asked
// for it by Continue.
func (r *Reconcile) Continues() bool { return r.req.Depth > 0 }

// Continuation is the bytes that the earlier call gave to Continue.
func (r *Reconcile) Continuation() []byte { return r.req.Continuation }

// Depth is how many calls this one continues.
func (r *Reconcile) Depth() int { return int(r.req.Depth) }

// Results is what became of the earlier call's actions, in their order.
func (r *Reconcile) Results() []Result {
	out := make([]Result, len(r.req.Results))
	for i := range out {
		out[i] = Result{r.req.Results[i]}
	}
	return out
}

// Observe reports a value of a declared metric: added to a counter, set on a
// gauge, observed by a histogram. The labels are the declared ones' values.
func (r *Reconcile) Observe(metric string, value float64, labels ...string) {
	r.samples = append(r.samples, abi.Sample{Name: metric, Value: value, Labels: labels})
}
