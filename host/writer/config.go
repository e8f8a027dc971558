package writer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/host/policy"
)

// DefaultTimeout is how long a request may take, on both sides.
const DefaultTimeout = 30 * time.Second

// Mapper knows which resource serves a kind. For a kind that is not served the
// error is a NoKindMatchError of apimachinery.
type Mapper interface {
	Resource(ctx context.Context, gvk schema.GroupVersionKind) (gvr schema.GroupVersionResource, namespaced bool, err error)
}

// Fence says whether a write may be begun.
type Fence interface {
	Allowed() error
}

// Provider performs the operations of an external system.
type Provider interface {
	Call(ctx context.Context, operation string, payload []byte) ([]byte, error)
}

// Config is what a Writer is made of.
type Config struct {
	// Controller is whose actions these are; its name is the default field manager.
	Controller string
	// REST is the connection, under the identity that the controller acts as. It
	// is not changed. Its rate limit is not used.
	REST *rest.Config
	// Mapper finds the resources of kinds.
	Mapper Mapper
	// Grant is what the controller may do. Nil denies everything but Events.
	Grant *policy.Grant
	// Fence is asked before each write. Nil is always open.
	Fence Fence
	// Limiter slows requests down. Nil leaves that to the API server.
	Limiter flowcontrol.RateLimiter
	// Recorder takes Events. Nil makes them fail as unsupported.
	Recorder record.EventRecorderLogger
	// Providers are the external systems, by name.
	Providers map[string]Provider
	// Timeout is how long one request may take; the API server is told as well,
	// so that it does not go on when nobody waits. Zero means DefaultTimeout.
	Timeout time.Duration
	// Clock is the time. Nil means the real one.
	Clock clock.Clock
	// Logger takes the log. Nil discards it.
	Logger *slog.Logger
	// Registerer takes the metrics; several writers may share one. Nil means none.
	Registerer prometheus.Registerer
}

// check fills in defaults and reports all faults at once.
func (c *Config) check() error {
	var faults []error
	if c.Controller == "" {
		faults = append(faults, errors.New("no controller is named"))
	}
	if c.REST == nil {
		faults = append(faults, errors.New("no connection is given"))
	}
	if c.Mapper == nil {
		faults = append(faults, errors.New("no mapper is given"))
	}
	if c.Timeout < 0 {
		faults = append(faults, fmt.Errorf("the timeout %v is negative", c.Timeout))
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Clock == nil {
		c.Clock = clock.RealClock{}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Fence == nil {
		c.Fence = open{}
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("cannot set up the writer of controller %q: %w", c.Controller, errors.Join(faults...))
}

// open is a fence that is always open.
type open struct{}

func (open) Allowed() error { return nil }
