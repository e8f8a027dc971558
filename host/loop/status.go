package loop

import (
	"sync"
)

// Phase says what a controller is doing.
type Phase string

// The phases of a controller.
const (
	// Waiting: for its caches, for leadership, or stopped.
	Waiting Phase = "Waiting"
	// Running: its workers take keys.
	Running Phase = "Running"
)

// Status is what people see of a controller.
type Status struct {
	Name    string
	Module  string
	Release string
	Digest  string
	Phase   Phase
	// Message says what it waits for.
	Message string
	// Waiting lists the kinds that are not in sync, a line each.
	Waiting []string
	Queued  int
	Parked  int
	// LastError is the newest failure and its key, empty after a success.
	LastError    string
	LastErrorKey string
	Failures     int
}

type status struct {
	mu sync.Mutex
	s  Status
}

func (s *status) set(p Phase, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.Phase, s.s.Message = p, message
}

func (s *status) failed(k Key, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.LastError, s.s.LastErrorKey = err.Error(), k.String()
	s.s.Failures++
}

func (s *status) succeeded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.s.LastError, s.s.LastErrorKey = "", ""
}

func (s *status) get() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.s
}

// Status tells how the controller is doing.
func (c *Controller) Status() Status {
	v := c.version.Load()
	s := c.status.get()
	s.Name, s.Module, s.Release, s.Digest = c.Name, v.Module, v.Release, v.Digest
	s.Waiting = v.Watches.Waiting()
	s.Parked = c.parked.count()
	if s.Phase == Running {
		s.Queued = c.queue().Len()
	}
	return s
}
