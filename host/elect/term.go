package elect

import (
	"context"
	"sync"
)

// term is one run of an election, with at most one call of lead.
type term struct {
	fence   *Fence
	metrics *metrics
	lead    func(context.Context)
	ctx     context.Context //nolint:containedctx // lead's own, made before client-go calls back
	end     context.CancelFunc
	stop    context.CancelFunc // ends the election, which releases the lease

	mu       sync.Mutex
	begun    bool // lead is running or has run
	over     bool // lead won't be called any more
	byItself bool
	done     chan struct{} // closed when lead has returned or won't be called
}

func newTerm(ctx context.Context, e *Elector, lead func(context.Context), stop context.CancelFunc) *term {
	t := &term{fence: e.fence, metrics: e.metrics, lead: lead, stop: stop, done: make(chan struct{})}
	t.ctx, t.end = context.WithCancel(ctx)
	return t
}

// started calls lead. client-go calls it on a goroutine that wait waits for.
func (t *term) started(holding context.Context) {
	t.mu.Lock()
	begin := !t.over
	t.begun = begin
	t.mu.Unlock()
	if !begin {
		return
	}
	defer t.stop()
	defer close(t.done)
	t.metrics.leading(true)
	defer t.metrics.leading(false)
	defer context.AfterFunc(holding, t.end)()
	var watch sync.WaitGroup
	defer watch.Wait()
	watch.Go(func() { // waited for above
		defer t.end()
		t.fence.watch(t.ctx)
	})
	t.lead(t.ctx) //nolint:contextcheck // its own context ends with holding
	t.byItself = t.ctx.Err() == nil
	t.end()
}

// lost tells lead to return, if it was called.
func (t *term) lost() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun {
		t.end()
	}
}

// abandon ends the election if lead was not called; else the end of lead does.
func (t *term) abandon() {
	if t.cancelUncalled() {
		t.stop()
	}
}

// cancelUncalled makes sure that lead won't be called, unless it was.
func (t *term) cancelUncalled() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun && !t.over {
		t.over = true
		close(t.done)
	}
	return !t.begun
}

// wait waits until lead has returned, and says whether it did so by itself. It
// is called when the election has ended.
func (t *term) wait() (byItself bool) {
	t.cancelUncalled()
	<-t.done
	t.end()
	return t.byItself
}
