package main

import (
	"context"
	"os"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
)

// portTries is how often a start of the API server looks for another port when
// it lost the one it had found.
const portTries = 5

// startAPIServer finds a port, unless there is one already, and starts the API
// server on it.
func (p *plane) startAPIServer(ctx context.Context) error {
	if p.port = p.cfg.Port; p.port != 0 {
		return p.runAPIServer(ctx)
	}
	var err error
	for range portTries {
		if p.port, err = freePort(); err != nil {
			return err
		}
		if err = p.runAPIServer(ctx); err == nil || !p.apiserver.logged(portInUse) {
			return err
		}
	}
	return err
}

// runAPIServer starts the API server on its port and waits until it is ready.
func (p *plane) runAPIServer(ctx context.Context) error {
	p.server = "https://" + address(p.port)
	config, err := p.pki.restConfig(p.server)
	if err != nil {
		return err
	}
	if p.client, err = kubernetes.NewForConfig(config); err != nil {
		return err
	}
	if p.apiserver, err = p.launch(apiserverName, apiserverArgs(p.cfg, p.dir, p.pki, p.port)); err != nil {
		return err
	}
	if err := await(ctx, p.apiserver, apiserverName, apiserverReady(p.client)); err != nil {
		return err
	}
	p.watch(p.apiserver)
	return nil
}

// serve takes the API server away and brings it back as the signals ask, until
// the context ends, and returns why it ended.
func (p *plane) serve(ctx context.Context, restart <-chan os.Signal) error {
	up := true
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case s := <-restart:
			switch s {
			case syscall.SIGUSR1:
				if up {
					p.apiserver.kill()
					up = false
				}
				write(p.stdout, "DOWN apiserver\n")
			case syscall.SIGUSR2:
				if !up {
					begin := time.Now()
					if err := p.runAPIServer(ctx); err != nil {
						return err
					}
					up = true
					p.say("kube-apiserver ready again (%.1f s)", time.Since(begin).Seconds())
				}
				write(p.stdout, "UP apiserver\n")
			}
		}
	}
}

// endedError is an end that was asked for.
type endedError struct{ why string }

// Error says what asked for the end.
func (e *endedError) Error() string { return e.why }
