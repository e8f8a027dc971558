package informercache

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
)

// How long a watch that fails waits before it asks again: the first time, and
// at most; up to half as long more is added by chance.
const (
	firstRetry = 800 * time.Millisecond
	lastRetry  = 10 * time.Second
	retryReset = 2 * time.Minute
)

// watched is one target's watch, whoever uses it.
type watched struct {
	target      Target
	store       *store
	status      *status
	conn        *conn // for the Reflector: the status sees what comes by it
	plain       *conn
	mapper      Mapper
	clock       clock.WithTicker
	subscribers *subscribers
	released    chan struct{} // closed with the last user
	relists     atomic.Int64
	watches     atomic.Int64

	users  int                // under the cache's lock
	ready  bool               // under the cache's lock; the first user's demand is known
	cancel context.CancelFunc // under the cache's lock; ends run
}

func (w *watched) isReleased() bool {
	select {
	case <-w.released:
		return true
	default:
		return false
	}
}

// run follows the server until the context ends.
func (w *watched) run(ctx context.Context) {
	quiet := logr.Discard() // the status tells, once a change
	s := &source{watched: w}
	r := cache.NewReflectorWithOptions(s.listerWatcher(), &item{}, feed{w}, cache.ReflectorOptions{
		Logger:          &quiet,
		Name:            w.target.String(),
		TypeDescription: w.target.String(),
		Clock:           endingClock{w.clock, ctx.Done(), &s.active},
		Backoff: &wait.Backoff{
			Duration: firstRetry, Cap: lastRetry, Factor: 2, Jitter: 0.5, Steps: 10,
		},
	})
	r.RunWithContext(klog.NewContext(ctx, quiet))
	s.active.close()
}
