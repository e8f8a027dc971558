package queue

import (
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// Queue holds the keys of one controller. See the package comment.
type Queue[K comparable] struct {
	clock   clock.WithTicker
	limits  workqueue.TypedRateLimiter[K] // counts failures
	retries workqueue.CounterMetric

	// mu is held around every call of inner, which therefore never waits: a
	// worker waits on cond, and takes what is ready for sure.
	mu      sync.Mutex
	cond    *sync.Cond
	ready   *ready[K]
	inner   *workqueue.Typed[K]
	entries map[K]*entry[K]
	timers  timers[K]
	working int
	closing bool // no more adds
	closed  bool // no more gets

	kick    chan struct{} // the earliest time has changed
	stop    chan struct{}
	stopped sync.Once
	wg      sync.WaitGroup
}

// New makes a queue. Unlike New elsewhere it starts something, as workqueues
// do: goroutines that ShutDown ends and waits for.
func New[K comparable](cfg Config) (*Queue[K], error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	m, err := newMetrics(cfg.Registerer, cfg.Name)
	if err != nil {
		return nil, err
	}
	q := &Queue[K]{
		clock:   cfg.Clock,
		limits:  workqueue.NewTypedItemExponentialFailureRateLimiter[K](cfg.BaseDelay, cfg.MaxDelay),
		retries: m.NewRetriesMetric(cfg.Name),
		ready:   newReady[K](m.moved),
		entries: map[K]*entry[K]{},
		kick:    make(chan struct{}, 1),
		stop:    make(chan struct{}),
	}
	q.cond = sync.NewCond(&q.mu)
	q.inner = workqueue.NewTypedWithConfig(workqueue.TypedQueueConfig[K]{
		Name: cfg.Name, MetricsProvider: m, Clock: cfg.Clock, Queue: q.ready,
	})
	q.wg.Go(q.watchClock) // ShutDown waits
	return q, nil
}

// Get waits for a key that is ready, and hands it out. Done must follow. When
// shutdown is true there is no key, and there won't be one.
func (q *Queue[K]) Get() (k K, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		for q.inner.Len() == 0 && !q.closing {
			q.cond.Wait()
		}
		if q.closed || q.inner.Len() == 0 {
			return k, true
		}
		got, _ := q.inner.Get()
		e := q.entry(got)
		if !e.held() {
			e.working, e.run, e.requeue = true, q.ready.popped, time.Time{}
			q.timers.set(e)
			q.working++
			return got, false
		}
		q.inner.Done(got) // it was ready when it was parked
		e.remember(q.ready.popped)
	}
}

// Done gives a key back.
func (q *Queue[K]) Done(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[k]
	if e == nil || !e.working {
		return
	}
	q.inner.Done(k)
	q.working--
	e.working = false
	if e.now {
		e.now = false
		q.pardon(e)
	}
	q.settle(e)
	q.cond.Broadcast() // ShutDownWithDrain may wait for this one
}

// Len is the number of keys that are ready.
func (q *Queue[K]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.inner.Len()
}

// entry gives what is known of a key, beginning to know it if need be.
func (q *Queue[K]) entry(k K) *entry[K] {
	e := q.entries[k]
	if e == nil {
		e = &entry[K]{key: k, index: -1, run: Normal}
		q.entries[k] = e
	}
	return e
}

// settle queues a key that is pending if nothing holds it any more, and forgets
// what need not be known.
func (q *Queue[K]) settle(e *entry[K]) {
	if e.pending && !e.held() {
		e.pending = false
		q.push(e.key, e.priority)
	}
	q.timers.set(e)
	if e.idle() {
		delete(q.entries, e.key)
	}
}

// push makes a key ready.
func (q *Queue[K]) push(k K, p Priority) {
	if q.closing {
		return
	}
	q.ready.next = p
	q.inner.Add(k)
	q.cond.Signal()
}
