package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	pollEvery = 50 * time.Millisecond
	pollLimit = 2 * time.Second // for one look
	readyIn   = 60 * time.Second
)

// await looks again and again until check has no error. It gives up when the
// context or the process that it waits for (nil for none) has ended.
func await(ctx context.Context, p *proc, what string, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, readyIn, errTooSlow)
	defer cancel()
	ticker := time.NewTicker(pollEvery)
	defer ticker.Stop()
	var done <-chan struct{}
	if p != nil {
		done = p.done
	}
	for {
		look, stop := context.WithTimeout(ctx, pollLimit)
		err := check(look)
		stop()
		if err == nil {
			return nil
		}
		select {
		case <-done:
			return p.died()
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, errTooSlow) {
				return cause
			}
			return fmt.Errorf("%s is not ready after %v: %w", what, readyIn, err)
		case <-ticker.C:
		}
	}
}

var errTooSlow = errors.New("too slow")
