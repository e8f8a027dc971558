package host

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/loopdock/loopdock/host/elect"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/registry"
	"github.com/loopdock/loopdock/host/sandbox"
	"github.com/loopdock/loopdock/informercache"
)

// Host docks controllers and runs them.
//
// # Notes
//
//   - It is safe for use by several goroutines. Run is called once.
//   - Dock and Undock may be called before Run and while it runs.
type Host struct {
	cfg        Config
	runtime    *sandbox.Runtime
	client     *http.Client
	cache      *informercache.Cache
	mapper     *informercache.DiscoveryMapper
	served     *reads.Served
	transcoder *informercache.Transcoder
	recorder   record.EventBroadcaster
	elector    *elect.Elector
	files      *registry.Files

	dock sync.Mutex // one docking, swap or undocking at a time
	mu   sync.Mutex
	// docked are the controllers by name; modules are the files that they came from.
	docked  map[string]*docked
	modules map[string]*module
	lead    *leading // nil while not leading
	failed  map[string]string
}

// module is a docked module and the names of its controllers.
type module struct {
	digest      string
	controllers []string
}

// docked is one docked controller.
type docked struct {
	loop *loop.Controller
	stop context.CancelFunc // nil while it does not run
	done chan struct{}
}

// transcodeBytes is how much JSON made from protobuf is remembered.
const transcodeBytes = 32 << 20

// New checks a configuration and prepares a host. It asks the API server nothing.
func New(ctx context.Context, cfg Config) (*Host, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	h := &Host{cfg: cfg, docked: map[string]*docked{}, modules: map[string]*module{}, failed: map[string]string{}}
	var err error
	if h.client, err = rest.HTTPClientFor(cfg.REST); err != nil {
		return nil, fmt.Errorf("cannot use the connection: %w", err)
	}
	dc, err := discovery.NewDiscoveryClientForConfigAndClient(cfg.REST, h.client)
	if err != nil {
		return nil, fmt.Errorf("cannot use the connection: %w", err)
	}
	h.served = &reads.Served{Client: dc}
	h.mapper = informercache.NewMapper(dc, cfg.Clock)
	h.transcoder = informercache.NewTranscoder(transcodeBytes)
	h.cache, err = informercache.New(informercache.Config{
		REST: cfg.REST, HTTPClient: h.client, Mapper: h.mapper, Clock: cfg.Clock, Logger: cfg.Logger, Registerer: cfg.Registry,
	})
	if err != nil {
		return nil, err
	}
	if cfg.Election != nil {
		election := *cfg.Election
		election.REST, election.Logger, election.Registerer, election.Clock = cfg.REST, cfg.Logger, cfg.Registry, cfg.Clock
		if h.elector, err = elect.New(election); err != nil {
			return nil, err
		}
	}
	h.runtime, err = sandbox.New(ctx, sandbox.Config{
		CacheDir: cfg.CacheDir, Logger: cfg.Logger, Registerer: cfg.Registry, Now: cfg.Clock.Now,
		Limits: sandbox.Limits{MemoryBytes: cfg.MemoryBytes, Fuel: cfg.Fuel, CallTimeout: cfg.CallTimeout},
	})
	if err != nil {
		return nil, err
	}
	h.files = &registry.Files{Paths: cfg.Modules, Poll: cfg.Poll, Clock: cfg.Clock}
	h.recorder = record.NewBroadcaster(record.WithContext(context.WithoutCancel(ctx))) // close ends it, after the workers
	return h, nil
}
