package writer

import (
	"context"
	"errors"
	"sync"

	"github.com/loopdock/loopdock/abi"
)

// width is how many actions of one parallel or slow-start batch are under way
// at once.
const width = 16

// done is what became of one action.
type done struct {
	result  abi.Result
	writes  []Write
	unknown *Unknown
	err     error  // a failure that was not tolerated
	name    string // the object's, where only the body has it
}

func (d *done) succeeded() bool {
	return d.err == nil && (d.result.Outcome == abi.OutcomeOK || d.result.Outcome == abi.OutcomeUnchanged)
}

// run is the performance of one answer. Each action's place is written by one
// goroutine, and read by others after its ended is closed.
type run struct {
	w       *Writer
	owner   Owner
	actions []*abi.Action
	done    []done
	ended   []chan struct{}
}

func newRun(w *Writer, owner Owner, batches []abi.Batch) *run {
	r := &run{w: w, owner: owner}
	for i := range batches {
		for j := range batches[i].Actions {
			r.actions = append(r.actions, &batches[i].Actions[j])
			r.ended = append(r.ended, make(chan struct{}))
		}
	}
	r.done = make([]done, len(r.actions))
	return r
}

// perform performs the batches, each as its mode says. After a failure only
// those are performed that are marked always.
func (r *run) perform(ctx context.Context, batches []abi.Batch) {
	ok := true
	from := 0
	for i := range batches {
		b := &batches[i]
		to := from + len(b.Actions)
		switch {
		case !ok && !b.Always:
			r.skip(from, to)
		case b.Mode == abi.BatchModeParallel:
			ok = r.parallel(ctx, from, to) && ok
		case b.Mode == abi.BatchModeSlowStart:
			ok = r.slowStart(ctx, from, to) && ok
		default:
			ok = r.sequential(ctx, from, to) && ok
		}
		from = to
	}
}

func (r *run) sequential(ctx context.Context, from, to int) bool {
	for i := from; i < to; i++ {
		if !r.one(ctx, i) {
			r.skip(i+1, to)
			return false
		}
	}
	return true
}

func (r *run) parallel(ctx context.Context, from, to int) bool {
	var workers sync.WaitGroup
	slots := make(chan struct{}, width)
	for i := from; i < to; i++ { // in order: what an action waits for has begun
		slots <- struct{}{}
		workers.Go(func() { // waited for below
			defer func() { <-slots }()
			r.one(ctx, i)
		})
	}
	workers.Wait()
	for i := from; i < to; i++ {
		if r.done[i].err != nil {
			return false
		}
	}
	return true
}

func (r *run) slowStart(ctx context.Context, from, to int) bool {
	for size := 1; from < to; size *= 2 {
		end := min(from+size, to)
		if !r.parallel(ctx, from, end) {
			r.skip(end, to)
			return false
		}
		from = end
	}
	return true
}

func (r *run) skip(from, to int) {
	for i := from; i < to; i++ {
		r.end(i, done{result: abi.Result{Outcome: abi.OutcomeSkipped}})
	}
}

// one performs an action, once what it depends on has ended, and reports
// whether the batch may go on.
func (r *run) one(ctx context.Context, i int) bool {
	a := r.actions[i]
	var before *abi.Result
	if a.DependsOn > 0 {
		on := int(a.DependsOn) - 1
		if on >= i {
			return r.end(i, failed(reasonInvalid, errors.New("depends on an action that does not come before it")))
		}
		<-r.ended[on]
		if !r.done[on].succeeded() {
			return r.end(i, done{result: abi.Result{Outcome: abi.OutcomeSkipped}})
		}
		before = &r.done[on].result
	}
	return r.end(i, r.w.do(ctx, r.owner, a, before))
}

// end notes what became of an action.
func (r *run) end(i int, d done) bool {
	a := r.actions[i]
	if d.err != nil {
		d.err = &ActionError{Index: i + 1, Verb: verbName(a.Verb), Object: objectName(a, d.name), Err: d.err}
	}
	r.done[i] = d
	r.w.metrics.count(a, d.result.Outcome, d.result.Reason)
	close(r.ended[i])
	return d.err == nil
}

func (r *run) report() Report {
	out := Report{Results: make([]abi.Result, len(r.done))}
	var errs []error
	for i := range r.done {
		d := &r.done[i]
		out.Results[i] = d.result
		out.Writes = append(out.Writes, d.writes...)
		if d.unknown != nil {
			out.Unresolved = append(out.Unresolved, *d.unknown)
		}
		if d.err != nil {
			out.Failed = true
			errs = append(errs, d.err)
		}
	}
	out.Errors = errors.Join(errs...)
	return out
}
