package loop

import "sync"

// inflight counts the reconciles that use a version, so that it is closed after
// the last of them.
type inflight struct {
	mu      sync.Mutex
	n       int
	retired bool
	idle    chan struct{}
}

// enter takes the version for one reconcile; false once it is retired.
func (f *inflight) enter() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.retired {
		return false
	}
	f.n++
	return true
}

// leave gives it back.
func (f *inflight) leave() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n--
	if f.n == 0 && f.idle != nil {
		close(f.idle)
		f.idle = nil
	}
}

// retire lets nobody in any more and waits until all have left.
func (f *inflight) retire() {
	f.mu.Lock()
	f.retired = true
	if f.n == 0 {
		f.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	f.idle = idle
	f.mu.Unlock()
	<-idle
}
