package queue

import (
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"
)

// The back-off that Kubernetes' own controllers have.
const (
	DefaultBaseDelay = 5 * time.Millisecond
	DefaultMaxDelay  = 1000 * time.Second
)

// Config is what a queue is made of. Its zero value works, without metrics.
type Config struct {
	// Name is the controller's, for metrics. Required where there is a Registerer.
	Name string
	// BaseDelay is the back-off after the first failure; each further one
	// doubles it, up to MaxDelay. Zeros mean the defaults.
	BaseDelay, MaxDelay time.Duration
	// Clock is the time. Nil means the real one.
	Clock clock.WithTicker
	// Registerer takes the metrics; several queues may share one. Nil means none.
	Registerer prometheus.Registerer
}

// check fills in defaults and reports all faults at once.
func (c *Config) check() error {
	if c.BaseDelay == 0 {
		c.BaseDelay = DefaultBaseDelay
	}
	if c.MaxDelay == 0 {
		c.MaxDelay = max(DefaultMaxDelay, c.BaseDelay)
	}
	if c.Clock == nil {
		c.Clock = clock.RealClock{}
	}
	var faults []error
	if c.BaseDelay < 0 {
		faults = append(faults, fmt.Errorf("the base delay %v is negative", c.BaseDelay))
	}
	if c.MaxDelay < c.BaseDelay {
		faults = append(faults, fmt.Errorf("the longest delay %v is below the base delay %v", c.MaxDelay, c.BaseDelay))
	}
	if c.Registerer != nil && c.Name == "" {
		faults = append(faults, errors.New("metrics need a name"))
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("cannot make queue %q: %w", c.Name, errors.Join(faults...))
}
