// Package standin runs a guest in the place of a native controller inside
// Kubernetes' own integration tests. The files in _overlay replace those that
// define the native constructors; what they construct calls Run.
package standin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/host"
)

// Controller says which guest stands in, and with what settings.
type Controller struct {
	// Module is the guest's name: the file .build/guests/NAME.wasm.
	Module string
	// Name of the controller, and the configuration it is given.
	Name string
	// Config gives the configuration. It is asked again and again, since the
	// native controllers ask their feature gates each time.
	Config  func() any
	Workers int
	// Client is the REST client of the clientset that the test gave to the
	// native constructor.
	Client rest.Interface
	// SyncBound is how long kinds of a wildcard are waited for at the start.
	SyncBound time.Duration
	// Started is given the host before it runs, if set.
	Started func(h *host.Host)
}

// Run runs the guest until ctx ends. What can't be set up panics, as the tests
// have no other ear for it.
func (c *Controller) Run(ctx context.Context) {
	if err := c.run(ctx); err != nil && ctx.Err() == nil {
		panic(err)
	}
}

func (c *Controller) run(ctx context.Context) error {
	client, ok := c.Client.(*rest.RESTClient)
	if !ok {
		return fmt.Errorf("cannot take the connection of a %T", c.Client)
	}
	dir := os.Getenv("LOOPDOCK_GUESTS")
	wasm, err := os.ReadFile(filepath.Join(dir, c.Module+".wasm")) //nolint:gosec // set by run
	if err != nil {
		return fmt.Errorf("cannot read the guest (is LOOPDOCK_GUESTS set?): %w", err)
	}
	config, err := json.Marshal(c.Config())
	if err != nil {
		return err
	}
	u := client.Get().URL()
	level := slog.LevelWarn
	if testing.Verbose() {
		level = slog.LevelInfo
	}
	h, err := host.New(ctx, host.Config{
		REST:        &rest.Config{Host: u.Scheme + "://" + u.Host, Transport: client.Client.Transport, QPS: -1},
		CacheDir:    filepath.Join(dir, "cache"),
		Logger:      slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})),
		Only:        []string{c.Name},
		Controllers: map[string]host.ControllerConfig{c.Name: {Workers: c.Workers, Config: config, SyncBound: c.SyncBound}},
	})
	if err != nil {
		return err
	}
	// Where ctx ends while the guest is docked, Run still gives back what New took.
	if err := h.Dock(ctx, c.Module, wasm); err != nil && ctx.Err() == nil {
		return err
	}
	if c.Started != nil {
		c.Started(h)
	}
	var follow sync.WaitGroup
	defer follow.Wait()
	follow.Go(func() { c.follow(ctx, h, config) })
	return h.Run(ctx)
}

// follow hands the guest its configuration whenever that has changed.
func (c *Controller) follow(ctx context.Context, h *host.Host, config []byte) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, err := json.Marshal(c.Config())
		if err != nil || bytes.Equal(now, config) {
			continue
		}
		if err := h.Configure(c.Name, now); err != nil {
			panic(err)
		}
		config = now
	}
}
