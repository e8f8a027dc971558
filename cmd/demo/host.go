package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/loopdock/loopdock/cmd/docking"
	"github.com/loopdock/loopdock/cmd/plane"
)

// hostProcess is the program loopdock at work, with a folder of modules that can
// be replaced.
type hostProcess struct {
	*docking.Host
	dir string
}

// startHost copies the guests to where they can be replaced, runs loopdock, and
// waits until all of them are docked.
func startHost(ctx context.Context, bin, guests string, p *plane.Plane) (h *hostProcess, err error) {
	h = &hostProcess{}
	if h.dir, err = os.MkdirTemp("", "loopdock-demo-"); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, h.stop())
		}
	}()
	for _, m := range docking.Modules {
		if err := replaceFile(h.module(m.Name), filepath.Join(guests, m.Name+".wasm")); err != nil {
			return nil, err
		}
	}
	settings, err := h.settings(p)
	if err != nil {
		return nil, err
	}
	say("Docking %d modules: loopdock run --module %s.wasm ...", len(docking.Modules), docking.Modules[0].Name)
	h.Host, err = docking.Start(ctx, docking.Config{
		Binary: filepath.Join(bin, "loopdock"), Kubeconfig: p.Kubeconfig(), Modules: []string{h.dir},
		Args: append(settings, "--workers", "replicaset=2"), Log: &docking.Lines{To: os.Stdout, Style: aside},
	})
	if err == nil {
		err = h.Await(ctx, docking.Running(controllers()...))
	}
	return h, err
}

// settings are of those controllers that need some.
func (h *hostProcess) settings(p *plane.Plane) ([]string, error) {
	config, err := p.RESTConfig()
	if err != nil {
		return nil, err
	}
	rootCA, err := docking.PublisherSettings(h.dir, config)
	if err != nil {
		return nil, err
	}
	// The fake kubelets renew their leases every ten seconds, and nobody wants to wait
	// the usual 50 seconds to see a node die.
	grace, err := docking.Settings(h.dir, "nodelifecycle", map[string]string{"nodeMonitorGracePeriod": "16s"})
	return append(rootCA, grace...), err
}

// controllers is those of all modules.
func controllers() (names []string) {
	for _, m := range docking.Modules {
		for _, n := range m.Natives {
			names = append(names, n.Guest)
		}
	}
	return names
}

// module is where a module is docked from.
func (h *hostProcess) module(name string) string { return filepath.Join(h.dir, name+".wasm") }

// release is the version of the replicaset controller that runs now.
func (h *hostProcess) release(ctx context.Context) (string, error) {
	status, err := h.Status(ctx)
	if err != nil {
		return "", err
	}
	for _, c := range status.Controllers {
		if c.Name == "replicaset" {
			return c.Release, nil
		}
	}
	return "", errors.New("the replicaset controller is not docked")
}

// stop ends loopdock in an orderly way.
func (h *hostProcess) stop() error {
	var err error
	if h.Host != nil {
		err = h.Host.Stop()
	}
	return errors.Join(err, os.RemoveAll(h.dir))
}

// replaceFile puts a copy of a file in another's place, by an atomic rename.
func replaceFile(to, from string) error {
	b, err := os.ReadFile(from) //nolint:gosec // a guest that was just built
	if err != nil {
		return err
	}
	if err := os.WriteFile(to+".partial", b, 0o600); err != nil { //nolint:gosec // in a folder of our own
		return err
	}
	return os.Rename(to+".partial", to)
}
