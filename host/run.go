package host

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/kubernetes"
	corev1client "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/elect"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/registry"
	"github.com/loopdock/loopdock/host/telemetry"
)

// leading is one term of leadership: what its controllers run under.
type leading struct {
	ctx         context.Context //nolint:containedctx // it is the term itself: it ends with the lease
	controllers sync.WaitGroup
	level       bool
}

// Run docks the configured modules and runs all controllers until ctx ends; it
// returns when everything that it started has ended. Leaving goes from the
// workers over the lease and the watches to the metrics, so that no write is
// begun without the lease, and the last metrics can still be read.
func (h *Host) Run(ctx context.Context) error {
	server, err := h.listen(ctx)
	if err != nil {
		return err
	}
	outer, endOuter := context.WithCancel(context.WithoutCancel(ctx))
	defer endOuter()
	var rest errgroup.Group
	rest.Go(func() error { return h.cache.Run(outer) }) // waited for below
	if err := h.sendEvents(); err != nil {
		return err
	}
	if server != nil {
		h.cfg.Logger.Info("serving", "address", server.Address())
		rest.Go(func() error { return server.Run(outer) })
	}
	err = h.serve(ctx)
	endOuter()
	return errors.Join(err, rest.Wait(), h.close(context.WithoutCancel(ctx)))
}

// sendEvents begins to send the guests' Events, until the recorder shuts down.
func (h *Host) sendEvents() error {
	client, err := kubernetes.NewForConfigAndClient(h.cfg.REST, h.client)
	if err != nil {
		return fmt.Errorf("cannot send Events: %w", err)
	}
	h.recorder.StartRecordingToSink(&corev1client.EventSinkImpl{Interface: client.CoreV1().Events("")})
	return nil
}

// serve docks modules and leads until ctx ends.
func (h *Host) serve(ctx context.Context) error {
	modules, err := h.files.Load()
	if err != nil {
		return err
	}
	for _, m := range modules {
		if err := h.Dock(ctx, m.Path, m.Bytes); err != nil {
			return err
		}
	}
	h.warnOfUnknown()
	group, ctx := errgroup.WithContext(ctx)
	if len(h.files.Paths) > 0 {
		group.Go(func() error { return h.files.Run(ctx, func(c registry.Change) { h.moduleChanged(ctx, c) }) })
	}
	group.Go(func() error {
		if h.elector == nil {
			h.term(ctx, false)
			return nil
		}
		return h.stand(ctx)
	})
	return group.Wait()
}

// stand stands for election until ctx ends, again after each lost lease.
func (h *Host) stand(ctx context.Context) error {
	for {
		err := h.elector.Run(ctx, func(ctx context.Context) { h.term(ctx, true) })
		if !errors.Is(err, elect.ErrLost) {
			return err
		}
		h.cfg.Logger.Warn("lease lost; standing by", "err", err.Error())
	}
}

// moduleChanged follows a file of a module.
func (h *Host) moduleChanged(ctx context.Context, c registry.Change) {
	var err error
	switch {
	case c.Err != nil:
		err = c.Err
		h.note(c.Path, err)
	case c.Removed:
		h.note(c.Path, nil)
		if h.module(c.Path) != nil {
			err = h.Undock(c.Path)
		}
	default:
		err = h.Dock(ctx, c.Path, c.Bytes)
	}
	if err != nil && ctx.Err() == nil {
		h.cfg.Logger.Error("module not docked; what ran before goes on", "file", c.Path, "err", err.Error())
	}
}

// term runs the docked controllers, and those docked meanwhile, until ctx ends.
func (h *Host) term(ctx context.Context, level bool) {
	l := &leading{ctx: ctx, level: level}
	h.mu.Lock()
	h.lead = l
	for _, d := range h.docked {
		h.start(d) //nolint:contextcheck // the term that it reads has it
	}
	h.mu.Unlock()
	<-ctx.Done()
	h.mu.Lock()
	h.lead = nil
	h.mu.Unlock()
	l.controllers.Wait()
}

// start runs a controller in the current term. The lock is held.
func (h *Host) start(d *docked) {
	l := h.lead
	ctx, cancel := context.WithCancel(l.ctx)
	done := make(chan struct{})
	d.stop, d.done = cancel, done
	l.controllers.Go(func() { // waited for by the term
		defer close(done)
		if err := d.loop.Run(ctx, l.level); err != nil && ctx.Err() == nil {
			h.cfg.Logger.Error("controller stopped", "controller", d.loop.Name, "err", err.Error())
		}
	})
}

// add docks a new controller, and runs it if this host leads.
func (h *Host) add(v *loop.Version) error {
	cfg := h.cfg.Controllers[v.Manifest.Name]
	c, err := loop.New(loop.Config{
		Name: v.Manifest.Name, Workers: h.workers(v.Manifest), Cache: h.cache, Clock: h.cfg.Clock, Registerer: h.cfg.Registry,
		Logger: h.cfg.Logger.With("controller", v.Manifest.Name), BackOff: cfg.BackOff, MaxBackOff: cfg.MaxBackOff,
		SyncBound: cfg.SyncBound,
	}, v)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	d := &docked{loop: c}
	h.docked[c.Name] = d
	if h.lead != nil {
		h.start(d)
	}
	return nil
}

// workers is how many keys of a controller run at once: what the operator says,
// else what the manifest does.
func (h *Host) workers(c *abi.Controller) int {
	if n := h.cfg.Controllers[c.Name].Workers; n > 0 {
		return n
	}
	return max(1, int(c.Concurrency))
}

// remove stops a controller and waits for its last reconcile.
func (h *Host) remove(name string) {
	h.mu.Lock()
	d := h.docked[name]
	delete(h.docked, name)
	h.mu.Unlock()
	if d == nil {
		return
	}
	if d.stop != nil {
		d.stop()
		<-d.done
	}
	d.loop.Close()
}

// listen takes the metrics address.
func (h *Host) listen(ctx context.Context) (*telemetry.Server, error) {
	if h.cfg.Address == "" {
		return nil, nil //nolint:nilnil // no address, no server
	}
	return telemetry.Listen(ctx, telemetry.Config{
		Address: h.cfg.Address, Gatherer: h.cfg.Registry, Pprof: h.cfg.Pprof, Logger: h.cfg.Logger,
		Healthy: h.Healthy, Ready: h.Ready, Status: func() any { return h.Status() },
	})
}

// close gives back what New took.
func (h *Host) close(ctx context.Context) error {
	h.mu.Lock()
	for _, d := range h.docked {
		d.loop.Close()
	}
	h.docked = map[string]*docked{}
	h.mu.Unlock()
	h.recorder.Shutdown()
	return h.runtime.Close(ctx)
}
