package informercache

import (
	"context"
	"sync"
)

// gate counts what is under way, lets nothing more begin once it is closed, and
// waits for the rest.
type gate struct {
	mu     sync.Mutex
	closed bool
	active sync.WaitGroup
}

// enter is nil where something may begin; it ends by leave.
func (g *gate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return context.Canceled
	}
	g.active.Add(1)
	return nil
}

func (g *gate) leave() { g.active.Done() }

// close returns when nothing is under way any more.
func (g *gate) close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.active.Wait()
}
