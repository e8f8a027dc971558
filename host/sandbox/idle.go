package sandbox

import (
	"context"
	"time"
)

const defaultIdle = 5 * time.Minute

// Trim closes the instances that have been idle for long. Each call does so when
// it ends; Trim is for the time when there are none.
//
// # Notes
//
//   - It does not wait: while all instances are in use none is idle.
//   - It is safe for use by several goroutines, and after the module's Close.
func (p *Pool) Trim(ctx context.Context) {
	select {
	case p.turns <- struct{}{}:
	default:
		return
	}
	defer func() { <-p.turns }()
	p.trim(ctx)
}

// trim is called by who has a turn: a pool that closes waits for it.
func (p *Pool) trim(ctx context.Context) {
	if p.cfg.Idle < 0 {
		return
	}
	now := p.module.runtime.cfg.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := range p.slots {
		s := &p.slots[n]
		if !s.busy && s.instance != nil && now.Sub(s.used) >= p.cfg.Idle {
			p.drop(ctx, s.instance)
			s.instance = nil
		}
	}
}
