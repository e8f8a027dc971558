package informercache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
)

// Config is what a Cache is made of.
type Config struct {
	// REST is the connection; its rate limit is kept as it is. Required.
	REST *rest.Config
	// HTTPClient is the client to use in place of one made from REST.
	HTTPClient *http.Client
	// Mapper tells where kinds are served. Required; see [NewMapper].
	Mapper Mapper
	// Clock is the time. Required.
	Clock clock.WithTicker
	// Logger is told when a watch changes its phase; the default discards.
	Logger *slog.Logger
	// Registerer takes the metrics; nil has none.
	Registerer prometheus.Registerer
}

// Cache is the watches of one connection and what they hold. It is safe for
// several goroutines.
type Cache struct {
	rest        *rest.Config
	client      *http.Client
	mapper      Mapper
	clock       clock.WithTicker
	logger      *slog.Logger
	registerer  prometheus.Registerer
	interner    *interner
	plain       *conn
	subscribers subscribers

	mu      sync.Mutex
	watches map[Target]*watched
	start   func(*watched) // while running
}

var (
	errIncomplete = errors.New("incomplete configuration")
	errRunning    = errors.New("it is running already")
)

// New checks the configuration. It starts nothing.
func New(c Config) (*Cache, error) {
	var missing []error
	need := func(name string, given bool) {
		if !given {
			missing = append(missing, fmt.Errorf("%w: no %s", errIncomplete, name))
		}
	}
	need("REST", c.REST != nil)
	need("Mapper", c.Mapper != nil)
	need("Clock", c.Clock != nil)
	if len(missing) > 0 {
		return nil, fmt.Errorf("cannot make a cache: %w", errors.Join(missing...))
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	config, client, err := shared(c.REST, c.HTTPClient)
	if err != nil {
		return nil, fmt.Errorf("cannot make a cache: %w", err)
	}
	cache := &Cache{
		rest: config, client: client, mapper: c.Mapper, clock: c.Clock, logger: c.Logger, registerer: c.Registerer,
		interner: newInterner(), watches: map[Target]*watched{},
	}
	if cache.plain, err = newConn(config, client, cache.interner, nil); err != nil {
		return nil, fmt.Errorf("cannot make a cache: %w", err)
	}
	return cache, nil
}

// Run follows the server for all watches, those made before and those made
// meanwhile. It returns when the context has ended and all that it
// started has; queries then answer from what was last seen.
func (c *Cache) Run(ctx context.Context) error {
	if c.registerer != nil {
		m := metrics{c}
		if err := c.registerer.Register(m); err != nil {
			return fmt.Errorf("cannot run the cache: %w", err)
		}
		defer c.registerer.Unregister(m)
	}
	var running sync.WaitGroup
	if err := c.begin(func(w *watched) {
		watchCtx, cancel := context.WithCancel(ctx)
		w.cancel = cancel
		running.Go(func() { // Run waits for it
			defer cancel()
			w.run(watchCtx)
		})
	}); err != nil {
		return err
	}
	<-ctx.Done()
	c.mu.Lock()
	c.start = nil
	c.mu.Unlock()
	running.Wait()
	return nil
}

func (c *Cache) begin(start func(*watched)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.start != nil {
		return fmt.Errorf("cannot run the cache: %w", errRunning)
	}
	c.start = start
	for _, w := range c.watches {
		if w.ready {
			start(w)
		}
	}
	return nil
}

// Watch makes the caller a user of the target's watch: the first one starts
// it, later ones widen it by what they demand. Each must Release it.
func (c *Cache) Watch(t Target, d Demand) *Watch {
	w, first := c.use(t)
	w.store.widen(d, c.clock.Now())
	if first {
		c.mu.Lock()
		defer c.mu.Unlock()
		w.ready = true
		if c.start != nil && !w.isReleased() {
			c.start(w)
		}
	}
	return newWatch(c, w, d)
}

func (c *Cache) use(t Target) (w *watched, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w = c.watches[t]
	if w == nil {
		w, first = c.newWatched(t), true
		c.watches[t] = w
	}
	w.users++
	return w, first
}

func (c *Cache) newWatched(t Target) *watched {
	w := &watched{
		target: t, store: newStore(), plain: c.plain, mapper: c.mapper, clock: c.clock,
		subscribers: &c.subscribers, released: make(chan struct{}),
	}
	w.status = &status{target: t, logger: c.logger, store: w.store, now: Status{Phase: Waiting, Message: "the cache is not running yet"}}
	conn, err := newConn(c.rest, c.client, c.interner, w.status.saw)
	if err != nil {
		panic(err) // New made one of the same configuration
	}
	w.conn = conn
	return w
}

func (c *Cache) release(w *watched) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w.users--; w.users > 0 {
		return
	}
	delete(c.watches, w.target)
	close(w.released)
	if w.cancel != nil {
		w.cancel()
	}
}

// all returns the watches as they are now.
func (c *Cache) all() []*watched {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*watched, 0, len(c.watches))
	for _, w := range c.watches {
		all = append(all, w)
	}
	return all
}
