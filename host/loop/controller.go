package loop

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

// Config is what a controller needs beside its module.
type Config struct {
	// Name of the controller, as its manifest has it.
	Name string
	// Workers is how many keys run at once. At least one.
	Workers int
	// ParkBound is how long a key may wait for its own writes before that is
	// reported. Zero means 30 seconds.
	ParkBound time.Duration
	// BackOff is the first and the longest wait after a failure. Zeros mean
	// those of client-go, 5 ms and 1000 s.
	BackOff, MaxBackOff time.Duration
	// SyncBound is how long a start waits for kinds of a wildcard that don't come
	// in sync. Zero means 30 seconds.
	SyncBound time.Duration
	// SwapBound is how long a swap waits for the caches of the new version. Zero
	// means 30 seconds.
	SwapBound  time.Duration
	Cache      *informercache.Cache
	Clock      clock.WithTicker
	Logger     *slog.Logger
	Registerer prometheus.Registerer
	// Seed gives the seed of each request. Nil means a random one.
	Seed func() uint64
}

// Controller runs one docked controller.
type Controller struct {
	Config
	version atomic.Pointer[Version]
	queues  atomic.Pointer[queue.Queue[Key]] // of the present run
	reads   *subscribe.Index[Key]
	states  states
	parked  parking
	came    versions
	metrics *metrics
	status  status
	kinds   chan struct{} // a definition of kinds has changed
	swap    sync.Mutex    // one swap at a time
	level   bool
}

// New checks a configuration and makes a controller that does nothing yet.
func New(cfg Config, v *Version) (*Controller, error) {
	if cfg.Workers < 1 {
		return nil, fmt.Errorf("cannot dock controller %s: it has %d workers and needs at least 1", cfg.Name, cfg.Workers)
	}
	if cfg.ParkBound == 0 {
		cfg.ParkBound = 30 * time.Second
	}
	if cfg.SyncBound == 0 {
		cfg.SyncBound = 30 * time.Second
	}
	if cfg.SwapBound == 0 {
		cfg.SwapBound = 30 * time.Second
	}
	if cfg.Seed == nil {
		cfg.Seed = rand.Uint64
	}
	if err := v.prepare(); err != nil {
		return nil, err
	}
	c := &Controller{
		Config: cfg, reads: subscribe.New[Key](),
		states: states{keys: map[Key]*keyState{}},
		parked: newParking(),
		came:   versions{highest: map[informercache.Target]string{}},
		kinds:  make(chan struct{}, 1),
	}
	var err error
	if c.metrics, err = newMetrics(cfg.Registerer, c); err != nil {
		return nil, fmt.Errorf("cannot dock controller %s: %w", cfg.Name, err)
	}
	c.metrics.declare(v.Manifest)
	c.version.Store(v)
	c.status.set(Waiting, "not started")
	return c, nil
}

// Run reconciles until ctx ends, and returns when the last reconcile has ended.
// With level it first brings every cached kind level with the API server: the
// writes of a former leader are not known here.
func (c *Controller) Run(ctx context.Context, level bool) error {
	c.status.set(Waiting, "waiting for its caches")
	cancel, err := c.start(ctx, level)
	if err != nil || cancel == nil {
		return err
	}
	defer cancel()
	var workers sync.WaitGroup
	for range c.Workers { // waited for below
		workers.Go(func() { c.work(ctx) })
	}
	workers.Go(func() { c.watchOverdue(ctx) })
	workers.Go(func() { c.followDiscovery(ctx) })
	<-ctx.Done()
	c.queue().ShutDown()
	workers.Wait()
	c.status.set(Waiting, "stopped")
	c.forgetAll()
	return nil
}

// start waits until the caches are ready, and fills the queue. Where ctx ends
// first there is nothing to cancel.
func (c *Controller) start(ctx context.Context, level bool) (cancel func(), err error) {
	v := c.awaitCaches(ctx, level)
	c.swap.Lock()
	defer c.swap.Unlock()
	for v != c.version.Load() { // a swap came between
		c.swap.Unlock()
		v = c.awaitCaches(ctx, level)
		c.swap.Lock()
	}
	if ctx.Err() != nil {
		return nil, nil //nolint:nilnil // see above
	}
	c.level = level
	q, err := c.newQueue()
	if err != nil {
		return nil, err
	}
	c.queues.Store(q)
	cancel = c.Cache.Subscribe(c)
	c.enqueueAll(v, abi.ReasonTypeInitial)
	c.status.set(Running, "")
	return cancel, nil
}

// The pause between two attempts to get the caches ready.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 10 * time.Second
)

// awaitCaches waits until the caches of the current version are ready, whatever
// becomes of the API server meanwhile, or ctx ends.
func (c *Controller) awaitCaches(ctx context.Context, level bool) *Version {
	pause := firstPause
	for {
		v := c.version.Load()
		err := ready(ctx, v, level, c.SyncBound)
		switch {
		case ctx.Err() != nil:
			return v
		case v != c.version.Load(): // swapped, and its watches released
			pause = firstPause
			continue
		case err == nil:
			return v
		}
		c.Logger.Warn("caches not ready; trying again", "err", err.Error(), "in", pause.String())
		c.status.set(Waiting, err.Error())
		timer := c.Clock.NewTimer(pause)
		select {
		case <-timer.C():
		case <-ctx.Done():
			timer.Stop()
			return v
		}
		pause = min(2*pause, lastPause)
	}
}

func (c *Controller) newQueue() (*queue.Queue[Key], error) {
	return queue.New[Key](queue.Config{
		Name: c.Name, BaseDelay: c.BackOff, MaxDelay: c.MaxBackOff, Clock: c.Clock, Registerer: c.Registerer,
	})
}

// queue is that of the present run; the one before is shut down.
func (c *Controller) queue() *queue.Queue[Key] { return c.queues.Load() }

// ready waits for the caches of a version, for kinds of a wildcard up to the bound.
func ready(ctx context.Context, v *Version, level bool, bound time.Duration) error {
	if err := v.Watches.WaitForSync(ctx, bound); err != nil || !level {
		return err
	}
	return v.Watches.Level(ctx, bound)
}

// enqueueAll queues every key at low priority.
func (c *Controller) enqueueAll(v *Version, t abi.ReasonType) {
	if v.Manifest.Primary != nil {
		for _, o := range v.Watches.List(v.primary, informercache.Query{Selector: v.selector}) {
			c.enqueue(Key{Namespace: o.Namespace(), Name: o.Name()}, abi.Reason{Type: t})
		}
		return
	}
	if v.Manifest.Wildcard != nil {
		c.enqueueFound(v, v.Watches.Everywhere(informercache.Query{}), t)
		return
	}
	if v.Manifest.Virtual.Singleton {
		c.enqueue(Key{Name: c.Name}, abi.Reason{Type: t})
	}
	for i := range v.mappings {
		m := &v.mappings[i]
		for _, o := range v.Watches.List(m.gvk, informercache.Query{}) {
			for _, k := range m.keys(c.Name, o) {
				c.enqueue(k, abi.Reason{Type: t})
			}
		}
	}
}

// watchOverdue reports parked keys now and then.
func (c *Controller) watchOverdue(ctx context.Context) {
	tick := c.Clock.NewTicker(c.ParkBound / 4)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C():
			c.reportOverdue()
			c.gauges()
		}
	}
}
