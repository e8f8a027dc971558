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
	// Idle is how long an instance may be without a call before it is closed.
	// Zero means five minutes; below zero means for ever.
	Idle time.Duration
}

// Pool holds a controller's instances.
//
// # Notes
//
//   - Reconcile is safe for use by several goroutines; more than Instances at a
//     time wait for each other.
//   - A key has a place of its own, and gets the instance there if it is free:
//     the one that it had last, as a rule.
type Pool struct {
	module *Module
	cfg    PoolConfig
	seed   maphash.Seed
	turns  chan struct{} // one for each instance that may be in use
	closed chan struct{} // closed with the pool

	mu    sync.Mutex
	slots []slot
}

// slot is a place for an instance; keys stick to slots.
type slot struct {
	instance *instance // nil until it is needed, after a trap, and when it was idle for long
	busy     bool
	used     time.Time // the end of the last call
}

// errClosed ends calls of a pool whose module was closed.
var errClosed = errors.New("the module is closed")

// NewPool makes a pool. It is closed with its module; of a closed module it is
// closed from the start.
func (m *Module) NewPool(cfg PoolConfig) *Pool {
	cfg.Instances = max(cfg.Instances, 1)
	if cfg.Idle == 0 {
		cfg.Idle = defaultIdle
	}
	p := &Pool{
		module: m,
		cfg:    cfg,
		seed:   maphash.MakeSeed(),
		turns:  make(chan struct{}, cfg.Instances),
		closed: make(chan struct{}),
		slots:  make([]slot, cfg.Instances),
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		close(p.closed)
	}
	m.pools = append(m.pools, p)
	return p
}

// Usage is what a call took.
type Usage struct {
	Duration time.Duration
	// MemoryBytes is the linear memory of the instance after the call.
	MemoryBytes int64
	// Fuel is what the call spent.
	Fuel int64
}

// Reconcile calls the guest. Sticky is the key: it prefers the instance that it
// had before. The error is a *TrapError where the guest is to blame; else it is
// the reader's, the context's or the host's.
func (p *Pool) Reconcile(ctx context.Context, sticky string, req *abi.Request, reader Reader, log Logger) (*abi.Response, Usage, error) {
	if err := ctx.Err(); err != nil {
		return nil, Usage{}, err
	}
	select {
	case p.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, Usage{}, ctx.Err()
	case <-p.closed:
		return nil, Usage{}, errClosed
	}
	defer func() { <-p.turns }()
	select {
	case <-p.closed: // select picks at random where both are ready
		return nil, Usage{}, errClosed
	default:
	}
	defer p.trim(ctx)
	n, i, err := p.take(ctx, sticky)
	if err != nil {
		p.module.runtime.metrics.trapped(p.cfg.Controller, err)
		return nil, Usage{}, err
	}
	good := false
	defer func() { p.give(ctx, n, i, good) }() // also where a reader or logger panics
	resp, usage, err := p.call(ctx, i, req, reader, log)
	good = err == nil
	return resp, usage, err
}

// call makes the call in an instance, and measures it.
func (p *Pool) call(ctx context.Context, i *instance, req *abi.Request, reader Reader, log Logger) (*abi.Response, Usage, error) {
	r := p.module.runtime
	ctx, cancel := r.cfg.Limits.timed(ctx)
	defer cancel()
	start, before := r.cfg.Now(), i.memory.size
	c := &call{log: log, max: r.cfg.Limits.LogLineBytes, tank: newTank(r.cfg.Limits.Fuel)}
	resp, err := i.reconcile(ctx, req, reader, c)
	usage := Usage{Duration: r.cfg.Now().Sub(start), MemoryBytes: int64(i.memory.size), Fuel: c.tank.spent()} //nolint:gosec // bounded by the limit
	r.metrics.spent(p.cfg.Controller, usage.Fuel)
	r.metrics.trapped(p.cfg.Controller, err)
	r.metrics.holds(p.cfg.Controller, 0, usage.MemoryBytes-int64(before)) //nolint:gosec // bounded by the limit
	return resp, usage, err
}

// take marks a slot as busy and gives its instance, making one if need be. A
// free slot is sure to be there: the caller has a turn.
func (p *Pool) take(ctx context.Context, sticky string) (int, *instance, error) {
	p.mu.Lock()
	n := p.choose(sticky)
	p.slots[n].busy = true
	i := p.slots[n].instance
	p.mu.Unlock()
	if i != nil {
		return n, i, nil
	}
	i, _, err := p.module.newInstance(ctx)
	if err == nil {
		p.module.runtime.metrics.holds(p.cfg.Controller, 1, int64(i.memory.size)) //nolint:gosec // bounded by the limit
	}
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

// give frees a slot. After an error its instance is closed first, so that there
// are never more than the pool may have, and the next call starts with a new one.
func (p *Pool) give(ctx context.Context, n int, i *instance, good bool) {
	if !good {
		p.drop(ctx, i)
		i = nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.slots[n] = slot{instance: i, used: p.module.runtime.cfg.Now()}
}

// drop closes an instance.
func (p *Pool) drop(ctx context.Context, i *instance) {
	p.module.runtime.metrics.holds(p.cfg.Controller, -1, -int64(i.memory.size)) //nolint:gosec // bounded by the limit
	i.close(ctx)
}

// close lets no more calls begin, waits for those that are under way, and closes
// all instances.
func (p *Pool) close(ctx context.Context) {
	close(p.closed)
	for range cap(p.turns) {
		p.turns <- struct{}{}
	}
	for n := range p.slots { // nobody else has a turn
		if i := p.slots[n].instance; i != nil {
			p.drop(ctx, i)
			p.slots[n].instance = nil
		}
	}
	for range cap(p.turns) {
		<-p.turns
	}
}
