package loop

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/sandbox"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
)

// work takes keys until the queue shuts down.
func (c *Controller) work(ctx context.Context) {
	for {
		k, shutdown := c.queue().Get()
		if shutdown {
			return
		}
		c.process(ctx, k)
	}
}

// process runs one key once and settles what becomes of it.
func (c *Controller) process(ctx context.Context, k Key) {
	defer c.queue().Done(k)
	v := c.acquire()
	defer v.inflight.leave()
	c.metrics.active.WithLabelValues(c.Name).Inc()
	defer c.metrics.active.WithLabelValues(c.Name).Dec()
	start := c.Clock.Now()
	c.beginCall(k)
	writes, err := c.resolve(ctx, v, k)
	if err != nil {
		c.settle(v, k, ending{err: err, writes: writes})
		return
	}
	if c.unseen(v, writes) != nil {
		c.endCall(k, writes)
		c.queue().Add(k, queue.Normal) // once the caches show what was found out
		c.park(v, k, writes)
		return
	}
	e := c.reconcile(ctx, v, k)
	c.metrics.took(c.Name, c.Clock.Since(start))
	if ctx.Err() != nil {
		return // the key is the next leader's
	}
	c.settle(v, k, e)
}

// acquire takes the current version for one reconcile.
func (c *Controller) acquire() *Version {
	for {
		if v := c.version.Load(); v.inflight.enter() {
			return v
		} // retired: its successor is stored already
	}
}

// resolve finds out what became of writes whose answers were lost, and gives
// what the caches must show on that account before the key runs.
func (c *Controller) resolve(ctx context.Context, v *Version, k Key) (writes []writer.Write, err error) {
	var unknown []writer.Unknown
	c.states.with(k, func(s *keyState) { unknown = slices.Clone(s.unknown) })
	for len(unknown) > 0 {
		w, err := v.Writer.Resolve(ctx, unknown[0])
		if err != nil {
			return writes, fmt.Errorf("cannot go on before it is known what became of a write: %w", err)
		}
		if w != (writer.Write{}) {
			writes = append(writes, w)
		}
		unknown = unknown[1:]
		c.states.with(k, func(s *keyState) { s.unknown = unknown })
	}
	return writes, nil
}

// ending is how a reconcile ended.
type ending struct {
	err      error
	terminal bool
	again    bool // goes on after its writes
	requeue  time.Duration
	writes   []writer.Write
	unknown  []writer.Unknown
	gone     bool // the key has no object
}

// reconcile calls the guest and performs what it answers.
func (c *Controller) reconcile(ctx context.Context, v *Version, k Key) ending {
	gvk, o := v.object(k)
	session := c.reads.Begin(k)
	req, err := c.request(v, k, gvk, o, session)
	if err != nil {
		return ending{err: err}
	}
	log := c.Logger.With("key", k.String())
	resp, usage, err := v.Guest.Reconcile(ctx, k.String(), req, reads.New(v.Reads, session), guestLogger(ctx, log))
	c.metrics.guest.WithLabelValues(c.Name).Observe(usage.Duration.Seconds())
	if err != nil {
		return ending{err: err}
	}
	session.Commit()
	if len(resp.Memo) > abi.MaxMemo {
		return ending{err: &sandbox.LimitError{Limit: "memo bytes", Value: abi.MaxMemo, Asked: int64(len(resp.Memo))}}
	}
	c.metrics.samples(resp.Metrics, log)
	report, err := v.Writer.Perform(ctx, ownerOf(gvk, o), resp.Batches)
	if err != nil {
		return ending{err: err}
	}
	return c.conclude(v, k, o, req, resp, &report)
}

// conclude works out the ending from the answer and what came of its actions.
func (c *Controller) conclude(v *Version, k Key, o *informercache.Object, req *abi.Request, resp *abi.Response, report *writer.Report) ending {
	e := ending{
		requeue: time.Duration(resp.RequeueAfterNS), writes: report.Writes, unknown: report.Unresolved,
		gone: o == nil && v.Manifest.Virtual == nil,
	}
	e.again = resp.Error == nil && (resp.Continues || len(resp.Continuation) > 0)
	var next *continuation
	if e.again {
		if req.Depth+1 > abi.MaxContinuations {
			e.again = false
			e.err = &sandbox.LimitError{Limit: "continuations", Value: abi.MaxContinuations, Asked: int64(req.Depth) + 1}
		} else {
			next = &continuation{digest: v.Digest, bytes: slices.Clone(resp.Continuation), results: report.Results, depth: req.Depth + 1}
		}
	}
	c.states.with(k, func(s *keyState) {
		s.memo, s.memoSchema, s.next = slices.Clone(resp.Memo), v.Manifest.MemoSchema, next
	})
	switch {
	case e.err != nil:
	case resp.Error != nil:
		e.err, e.terminal = &GuestError{Message: resp.Error.Message, Reason: resp.Error.Reason}, resp.Error.Terminal
	case report.Failed && !e.again:
		e.err = report.Errors
	}
	return e
}

// request builds what the guest is given.
func (c *Controller) request(v *Version, k Key, gvk schema.GroupVersionKind, o *informercache.Object, session *subscribe.Session[Key]) (*abi.Request, error) {
	req := &abi.Request{
		Controller: v.Index, Key: k.abi(), NowNS: c.Clock.Now().UnixNano(), Seed: c.Seed(),
		Attempt: uint32(c.queue().Attempt(k)), Config: v.config(), //nolint:gosec // attempts stay small
	}
	c.states.with(k, func(s *keyState) {
		req.Reasons, s.reasons = s.reasons, nil
		if s.memoSchema == v.Manifest.MemoSchema {
			req.Memo = s.memo
		}
		if s.next != nil && s.next.digest == v.Digest {
			req.Continuation, req.Results, req.Depth = s.next.bytes, s.next.results, s.next.depth
		}
		s.span.continues = req.Depth > 0
		s.next = nil // after a swap the reconcile begins anew: its bytes are the old module's
	})
	if req.Depth > 0 {
		session.Keep()
	}
	if o == nil {
		return req, nil
	}
	encoding := abi.EncodingDefault
	if p := v.Manifest.Primary; p != nil {
		encoding = p.Encoding
	}
	encoded, err := v.Reads.Encode(gvk, encoding, false, o)
	if err != nil {
		return nil, fmt.Errorf("cannot encode %s %s: %w", gvk.Kind, k, err)
	}
	if v.Manifest.Wildcard != nil {
		encoded.Kind = &abi.Kind{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}
	}
	req.Object = &encoded
	return req, nil
}

func ownerOf(gvk schema.GroupVersionKind, o *informercache.Object) writer.Owner {
	if o == nil {
		return writer.Owner{}
	}
	return writer.Owner{GVK: gvk, Namespace: o.Namespace(), Name: o.Name(), UID: string(o.UID())}
}
