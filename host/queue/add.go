package queue

import "time"

// Add queues a key on account of an event. A key in back-off keeps to its time.
func (q *Queue[K]) Add(k K, p Priority) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.add(k, p)
}

func (q *Queue[K]) add(k K, p Priority) {
	if e := q.entries[k]; e != nil && e.held() {
		e.remember(p)
		return
	}
	q.push(k, p)
}

// AddNow queues a key whose specification has changed: what failed before is
// forgotten, and a back-off cut short. While the key is with a worker this
// concerns that run's failure as well, since it saw the old specification.
func (q *Queue[K]) AddNow(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.limits.Forget(k)
	if e := q.entries[k]; e != nil {
		e.now = e.working
		q.pardon(e)
	}
	q.add(k, Normal)
}

// pardon ends a back-off and forgets what led to it.
func (q *Queue[K]) pardon(e *entry[K]) {
	q.limits.Forget(e.key)
	e.backOff = time.Time{}
	q.timers.set(e)
}

// AddAfter queues a key when d has passed, if nothing else does so before.
func (q *Queue[K]) AddAfter(k K, d time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.retries.Inc()
	if d <= 0 {
		q.add(k, Normal)
		return
	}
	e := q.entry(k)
	at := q.clock.Now().Add(d)
	if !e.requeue.IsZero() && e.requeue.Before(at) {
		return
	}
	e.requeue = at
	q.timers.set(e)
	q.wake()
}

// Fail counts a failure and queues the key when its back-off has passed.
func (q *Queue[K]) Fail(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.retries.Inc()
	e := q.entry(k)
	e.backOff = q.clock.Now().Add(q.limits.When(k))
	q.timers.set(e)
	q.wake()
}

// Forget forgets a key's failures: the next one begins with the shortest back-off.
func (q *Queue[K]) Forget(k K) { q.limits.Forget(k) }

// Attempt is how many times in a row a key has failed.
func (q *Queue[K]) Attempt(k K) int { return q.limits.NumRequeues(k) }

// Park keeps a key from workers until Unpark. It takes none away from one that
// has the key already. Parking twice is parking once.
func (q *Queue[K]) Park(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.entry(k).parked = true
}

// Unpark lets a key go to workers again. It queues the key only if something
// would have done so meanwhile.
func (q *Queue[K]) Unpark(k K) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[k]; e != nil && e.parked {
		e.parked = false
		q.settle(e)
	}
}
