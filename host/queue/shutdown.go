package queue

// ShutDown ends the queue at once: nothing is added any more, no worker gets a
// key any more, those that wait for one are told so. It returns when the
// queue's goroutines have ended; workers are their owner's to wait for.
func (q *Queue[K]) ShutDown() {
	q.mu.Lock()
	q.closing, q.closed = true, true
	q.cond.Broadcast()
	q.mu.Unlock()
	q.stopped.Do(func() { close(q.stop) })
	q.inner.ShutDown()
	q.wg.Wait()
}

// ShutDownWithDrain lets workers finish what is ready, without what would come
// again after Done, then ends the queue. ShutDown cuts it short.
func (q *Queue[K]) ShutDownWithDrain() {
	q.mu.Lock()
	q.closing = true
	q.cond.Broadcast()
	for !q.closed && (q.inner.Len() > 0 || q.working > 0) {
		q.cond.Wait()
	}
	q.mu.Unlock()
	q.ShutDown()
}

// ShuttingDown reports whether the queue ends or has ended.
func (q *Queue[K]) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closing
}
