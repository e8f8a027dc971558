package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/sandbox"
)

// Dock checks a module and docks its controllers; name stands for the module in
// messages and across replacements, and is the file's path where there is one.
// Docking a name again replaces its module: the new one is compiled and checked
// beside the old, then each controller switches between two reconciles of the
// same key. On an error all stays as it was.
func (h *Host) Dock(ctx context.Context, name string, wasm []byte) error {
	h.dock.Lock()
	defer h.dock.Unlock()
	err := h.replace(ctx, name, wasm)
	h.note(name, err)
	return err
}

// note keeps why a file is not docked, for the status.
func (h *Host) note(name string, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err == nil {
		delete(h.failed, name)
		return
	}
	h.failed[name] = err.Error()
}

func (h *Host) replace(ctx context.Context, name string, wasm []byte) error {
	start := h.cfg.Clock.Now()
	m, err := h.runtime.Load(ctx, name, wasm)
	if err != nil {
		return err
	}
	old := h.module(name)
	if old != nil && old.digest == m.Digest() {
		return m.Close(ctx)
	}
	if err := h.checkNames(name, m.Manifest()); err != nil {
		return errors.Join(err, m.Close(ctx))
	}
	versions, err := h.versions(ctx, m)
	if err != nil {
		return errors.Join(err, m.Close(ctx))
	}
	if err := h.install(ctx, name, m, old, versions); err != nil {
		return err
	}
	h.cfg.Logger.Info("docked", "module", m.Manifest().Name, "version", m.Manifest().Version, "file", name,
		"controllers", controllerNames(m.Manifest()), "took", h.cfg.Clock.Since(start).Round(time.Millisecond).String())
	return nil
}

// install swaps the controllers that stay, starts the new ones and stops those
// that the new module lacks.
func (h *Host) install(ctx context.Context, name string, m *sandbox.Module, old *module, versions []*loop.Version) error {
	if err := h.prepare(ctx, versions); err != nil {
		for _, v := range versions {
			v.Close()
		}
		return err
	}
	for i, v := range versions {
		d := h.controller(v.Manifest.Name)
		var err error
		if d != nil {
			err = d.loop.Swap(ctx, v)
		} else {
			err = h.add(v)
		}
		if err != nil {
			for _, rest := range versions[i:] {
				rest.Close()
			}
			return err
		}
		h.checkAccess(ctx, v)
	}
	names := controllerNames(m.Manifest())
	if old != nil {
		for _, was := range old.controllers {
			if !slices.Contains(names, was) {
				h.remove(was)
			}
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.modules[name] = &module{digest: m.Digest(), controllers: names}
	return nil
}

// prepare does all that can fail of the swaps, so that a module is swapped whole
// or not at all.
func (h *Host) prepare(ctx context.Context, versions []*loop.Version) error {
	for _, v := range versions {
		if d := h.controller(v.Manifest.Name); d != nil {
			if err := d.loop.Prepare(ctx, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// Undock stops a module's controllers and forgets them.
func (h *Host) Undock(name string) error {
	h.dock.Lock()
	defer h.dock.Unlock()
	m := h.module(name)
	if m == nil {
		return fmt.Errorf("cannot undock %s: it is not docked", name)
	}
	for _, c := range m.controllers {
		h.remove(c)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.modules, name)
	h.cfg.Logger.Info("undocked", "file", name, "controllers", m.controllers)
	return nil
}

func (h *Host) module(name string) *module {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.modules[name]
}

func (h *Host) controller(name string) *docked {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.docked[name]
}

// checkNames refuses controllers that another module has docked.
func (h *Host) checkNames(name string, m *abi.Manifest) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for other, mod := range h.modules {
		if other == name {
			continue
		}
		for i := range m.Controllers {
			if slices.Contains(mod.controllers, m.Controllers[i].Name) {
				return fmt.Errorf("cannot dock %s: controller %q is docked from %s already; undock that one first, or build yours under another name",
					name, m.Controllers[i].Name, other)
			}
		}
	}
	return nil
}

func controllerNames(m *abi.Manifest) []string {
	out := make([]string, 0, len(m.Controllers))
	for i := range m.Controllers {
		out = append(out, m.Controllers[i].Name)
	}
	return out
}
