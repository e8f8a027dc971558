package hosttest

import (
	"context"
	"testing"

	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/loop"
)

// Running is a host at work.
type Running struct {
	*host.Host
	Log    *Log
	cancel context.CancelFunc
	ended  chan struct{}
	err    error
}

// Run runs a host until the test ends or Stop is called. The name stands for it
// in logs. Where the configuration has no folder for compiled modules it gets one
// that stays between runs.
func Run(tb testing.TB, name string, cfg host.Config) *Running {
	tb.Helper()
	r := &Running{Log: NewLog(tb, name), ended: make(chan struct{})}
	cfg.Logger = r.Log.Logger()
	if cfg.CacheDir == "" {
		cfg.CacheDir = CacheDir(tb)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	var err error
	if r.Host, err = host.New(ctx, cfg); err != nil {
		cancel()
		tb.Fatal(err)
	}
	r.cancel = cancel
	go func() { // Stop waits
		defer close(r.ended)
		r.err = r.Host.Run(ctx)
	}()
	tb.Cleanup(func() { r.Stop(tb) })
	return r
}

// Stop ends the host in good order.
func (r *Running) Stop(tb testing.TB) {
	tb.Helper()
	r.cancel()
	<-r.ended
	if r.err != nil {
		tb.Errorf("the host ended with an error: %v", r.err)
	}
}

// Ended reports whether the host has exited.
func (r *Running) Ended() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// Controller is the status of a docked controller; the zero one if it is not
// docked.
func (r *Running) Controller(name string) loop.Status {
	for _, c := range r.Status().Controllers {
		if c.Name == name {
			return c
		}
	}
	return loop.Status{}
}
