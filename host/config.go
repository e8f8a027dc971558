package host

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/host/elect"
)

// Config is what a host is made of. Only REST and CacheDir are required.
type Config struct {
	// REST is the connection to the API server. Its rate limit is that of all
	// requests together; set QPS to -1 to leave that to the server's priority and
	// fairness.
	REST *rest.Config
	// CacheDir keeps compiled modules between runs. It holds executable code:
	// it is created with mode 0700, and refused if others own or can write it.
	CacheDir string
	// Modules are files, and folders of .wasm files, that are docked at the start
	// of Run and watched for replacement.
	Modules []string
	// Poll is how often Modules are looked at. Zero means 500 ms.
	Poll time.Duration
	// Election holds back reconciles until a lease is won. Nil reconciles at once.
	Election *elect.Config
	// Only names the controllers that are run; others in the modules are left out.
	// Empty runs all.
	Only []string
	// Controllers holds settings by controller name.
	Controllers map[string]ControllerConfig
	// MemoryBytes is the most linear memory that an instance may have. Zero
	// means the sandbox's default.
	MemoryBytes int64
	// Fuel is how much a reconcile call may spend; a guest spends about four
	// billion units in a second. Zero means the sandbox's default.
	Fuel int64
	// CallTimeout ends a reconcile call that runs longer. Zero leaves it to Fuel.
	CallTimeout time.Duration
	// Address serves /metrics, /healthz, /readyz and /status. Empty serves nothing.
	Address string
	// Pprof adds /debug/pprof there.
	Pprof bool
	// Logger takes the log. Nil discards it.
	Logger *slog.Logger
	// Registry takes the metrics. Nil means a registry of the host's own.
	Registry *prometheus.Registry
	// Clock is the time. Nil means the real one.
	Clock clock.WithTicker
}

// ControllerConfig holds an operator's settings for one controller.
type ControllerConfig struct {
	// Workers is how many keys are reconciled at once. Zero means what the
	// manifest says.
	Workers int
	// Config is handed to the guest: JSON.
	Config []byte
	// User is whom the controller acts as, by impersonation:
	// "system:serviceaccount:NAMESPACE:NAME". Empty means the host's own user.
	User string
	// WritesPerSecond limits the controller's writes. Zero means no limit but
	// the API server's.
	WritesPerSecond float32
	// BackOff and MaxBackOff bound the wait after failures. Zeros mean 5 ms and
	// 1000 s.
	BackOff, MaxBackOff time.Duration
	// SyncBound is how long a controller with wildcard keys waits at its start for
	// kinds that don't come in sync. Zero means 30 s.
	SyncBound time.Duration
}

// check fills in defaults and reports all faults at once.
func (c *Config) check() error {
	var faults []error
	if c.REST == nil {
		faults = append(faults, errors.New("no connection to an API server is given"))
	}
	if c.CacheDir == "" {
		faults = append(faults, errors.New("no folder for compiled modules is given"))
	}
	for name, cc := range c.Controllers {
		if cc.Workers < 0 {
			faults = append(faults, fmt.Errorf("controller %s has %d workers", name, cc.Workers))
		}
		if cc.WritesPerSecond < 0 {
			faults = append(faults, fmt.Errorf("controller %s has %v writes per second", name, cc.WritesPerSecond))
		}
	}
	if c.REST != nil && c.REST.QPS > 0 && c.REST.RateLimiter == nil {
		c.REST = rest.CopyConfig(c.REST)
		c.REST.RateLimiter = flowcontrol.NewTokenBucketRateLimiter(c.REST.QPS, max(1, c.REST.Burst))
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Registry == nil {
		c.Registry = prometheus.NewRegistry()
	}
	if c.Clock == nil {
		c.Clock = clock.RealClock{}
	}
	if len(faults) == 0 {
		return nil
	}
	return fmt.Errorf("cannot set up the host: %w", errors.Join(faults...))
}
