package elect

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/klog/v2"
)

// ErrLost is returned by Run when the lease was lost while Run was to go on.
var ErrLost = errors.New("lost the lease")

// overdue is how long after the end of a lease that this host still believes to
// hold the health check fails: something hangs then that should have ended.
const overdue = 20 * time.Second

// Elector lets this host lead when it holds a lease.
type Elector struct {
	cfg     Config
	lock    resourcelock.Interface // nil if off
	fence   *Fence
	health  *leaderelection.HealthzAdaptor
	metrics *metrics
}

// New checks a configuration. It asks the API server nothing.
func New(cfg Config) (*Elector, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	e := &Elector{
		cfg:    cfg,
		fence:  &Fence{clock: cfg.Clock, deadline: cfg.RenewDeadline, always: cfg.Off},
		health: leaderelection.NewLeaderHealthzAdaptor(overdue),
	}
	var err error
	if !cfg.Off {
		if e.lock, err = cfg.lock(); err != nil {
			return nil, err
		}
	}
	if e.metrics, err = newMetrics(cfg.Registerer, cfg.Name); err != nil {
		return nil, err
	}
	return e, nil
}

// Fence is what writers ask before each request. It is the same for all terms.
func (e *Elector) Fence() *Fence { return e.fence }

// Check is a health check: it fails if this host believes to hold a lease that
// has long run out.
func (e *Elector) Check(r *http.Request) error { return e.health.Check(r) }

// Run waits for the lease, calls lead, and returns when lead has returned and
// the lease is released: nil if ctx has ended or lead has returned by itself,
// ErrLost if the lease was lost. It may be called again then.
func (e *Elector) Run(ctx context.Context, lead func(ctx context.Context)) error {
	if e.cfg.Off {
		e.metrics.leading(true)
		defer e.metrics.leading(false)
		lead(ctx)
		return nil
	}
	// The election outlives ctx until lead has returned: it ends by releasing.
	electing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	t := newTerm(ctx, e, lead, stop)
	elector, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock:          &watchedLock{Interface: e.lock, fence: e.fence, term: t},
		LeaseDuration: e.cfg.LeaseDuration, RenewDeadline: e.cfg.RenewDeadline, RetryPeriod: e.cfg.RetryPeriod,
		ReleaseOnCancel: true, WatchDog: e.health, Name: e.cfg.Name,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: t.started,
			OnStoppedLeading: e.fence.shut,
			OnNewLeader:      func(id string) { e.cfg.Logger.Info("lease has a holder", "lease", e.cfg.Name, "holder", id) },
		},
	})
	if err != nil {
		return fmt.Errorf("cannot set up leader election: %w", err)
	}
	e.health.SetLeaderElection(elector)
	defer e.health.SetLeaderElection(nil)
	defer context.AfterFunc(ctx, t.abandon)()
	elector.Run(klog.NewContext(electing, logr.FromSlogHandler(e.cfg.Logger.Handler())))
	if byItself := t.wait(); !byItself && ctx.Err() == nil {
		return fmt.Errorf("%w %s/%s", ErrLost, e.cfg.Namespace, e.cfg.Name)
	}
	return nil
}
