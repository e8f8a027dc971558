package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// requests is what the process was asked by signals.
type requests struct {
	restart chan os.Signal // SIGUSR1 and SIGUSR2, in order
	force   chan struct{}  // closed by the second request to end
	end     chan os.Signal
	quit    chan struct{}
	wait    sync.WaitGroup
}

// listen takes over the signals: the first one that asks for an end ends the
// context, the second one ends the patience with the parts.
func listen(fail context.CancelCauseFunc) *requests {
	s := &requests{
		restart: make(chan os.Signal, 16),
		force:   make(chan struct{}),
		end:     make(chan os.Signal, 2),
		quit:    make(chan struct{}),
	}
	signal.Notify(s.end, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	signal.Notify(s.restart, syscall.SIGUSR1, syscall.SIGUSR2)
	s.wait.Go(func() {
		for _, do := range []func(os.Signal){
			func(sig os.Signal) { fail(&endedError{sig.String()}) },
			func(os.Signal) { close(s.force) },
		} {
			select {
			case sig := <-s.end:
				do(sig)
			case <-s.quit:
				return
			}
		}
	})
	return s
}

// close gives the signals back.
func (s *requests) close() {
	signal.Stop(s.end)
	signal.Stop(s.restart)
	close(s.quit)
	s.wait.Wait()
}
