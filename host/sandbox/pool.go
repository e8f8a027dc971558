package sandbox

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"
	"time"

	"github.com/loopdock/loopdock/abi"
)

// PoolConfig is what a controller's pool of instances is made of.
type PoolConfig struct {
	// Controller is the name in metrics.
	Controller string
	// Instances is the most that live at once. At least one.
	Instances int
}

// Pool holds a controller's instances.
//
// # Notes
//
//   - Reconcile is safe for use by several goroutines; more than Instances at a
//     time wait for each other.
//   - A key gets the instance that it had last, if that is free.
type Pool struct {
	module *Module
	cfg    PoolConfig
	seed   maphash.Seed
	turns  chan struct{} // one for each instance that may be in use

	mu     sync.Mutex
	slots  []slot
	closed bool
}

// slot is a place for an instance; keys stick to slots.
type slot struct {
	instance *instance // nil until it is needed, and after a trap
	busy     bool
}

// errClosed ends calls of a pool whose module was closed.
var errClosed = errors.New("the module is closed")

// NewPool makes a pool. It is closed with its module.
func (m *Module) NewPool(cfg PoolConfig) *Pool {
	cfg.Instances = max(cfg.Instances, 1)
	p := &Pool{module: m, cfg: cfg, seed: maphash.MakeSeed(), turns: make(chan struct{}, cfg.Instances), slots: make([]slot, cfg.Instances)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pools = append(m.pools, p)
	return p
}

// Usage is what a call took.
type Usage struct {
	Duration time.Duration
	// MemoryBytes is the linear memory of the instance after the call.
	MemoryBytes int64
}

// Reconcile calls the guest. Sticky is the key: it prefers the instance that it
// had before. The error is a *TrapError, or the reader's.
func (p *Pool) Reconcile(ctx context.Context, sticky string, req *abi.Request, reader Reader, log Logger) (*abi.Response, Usage, error) {
	select {
	case p.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, Usage{}, ctx.Err()
	}
	defer func() { <-p.turns }()
	n, i, err := p.take(ctx, sticky)
	if err != nil {
		return nil, Usage{}, err
	}
	r := p.module.runtime
	start := r.cfg.Now()
	c := &call{reader: reader, log: log, max: r.cfg.Limits.LogLineBytes}
	callCtx := ctx
	if limit := r.cfg.Limits.CallTimeout; limit > 0 {
		var cancel context.CancelFunc
		callCtx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	resp, err := i.reconcile(callCtx, req, c)
	usage := Usage{Duration: r.cfg.Now().Sub(start), MemoryBytes: int64(i.wasm.Memory().Size())}
	p.give(ctx, n, i, err)
	r.metrics.called(p.cfg.Controller, p.module, err)
	return resp, usage, err
}

// take marks a slot as busy and gives its instance, making one if need be. A
// free slot is sure to be there: the caller has a turn.
func (p *Pool) take(ctx context.Context, sticky string) (int, *instance, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return 0, nil, errClosed
	}
	n := p.choose(sticky)
	p.slots[n].busy = true
	i := p.slots[n].instance
	p.mu.Unlock()
	if i != nil {
		return n, i, nil
	}
	i, _, err := p.module.newInstance(ctx)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots[n].instance, p.slots[n].busy = i, err == nil
	return n, i, err
}

// choose picks the key's own slot if it is free, else one with an instance, else
// an empty one.
func (p *Pool) choose(sticky string) int {
	own := int(maphash.String(p.seed, sticky) % uint64(len(p.slots))) //nolint:gosec // below the number of slots
	if !p.slots[own].busy {
		return own
	}
	empty := own
	for n := range p.slots {
		if p.slots[n].busy {
			continue
		}
		if p.slots[n].instance != nil {
			return n
		}
		empty = n
	}
	return empty
}

// give frees a slot. After an error its instance is closed, and the next call
// starts with a new one.
func (p *Pool) give(ctx context.Context, n int, i *instance, failed error) {
	p.mu.Lock()
	p.slots[n].busy = false
	if failed != nil {
		p.slots[n].instance = nil
	}
	p.mu.Unlock()
	if failed == nil {
		return
	}
	if err := i.close(context.WithoutCancel(ctx)); err != nil {
		p.module.runtime.cfg.Logger.Warn("cannot close an instance", "module", p.module.name, "err", err.Error())
	}
}

// close waits for the calls that are under way and closes all instances.
func (p *Pool) close(ctx context.Context) error {
	for range cap(p.turns) {
		p.turns <- struct{}{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	var errs []error
	for n := range p.slots {
		if i := p.slots[n].instance; i != nil {
			errs = append(errs, i.close(ctx))
			p.slots[n].instance = nil
		}
	}
	for range cap(p.turns) {
		<-p.turns
	}
	return errors.Join(errs...)
}
