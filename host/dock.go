package host

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/loop"
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
	names, rest := h.chosen(m.Manifest())
	if err := h.checkNames(name, names); err != nil {
		return errors.Join(err, m.Close(ctx))
	}
	versions, err := h.versions(ctx, m)
	if err != nil {
		return errors.Join(err, m.Close(ctx))
	}
	if err := h.install(ctx, name, &module{digest: m.Digest(), controllers: names}, old, versions); err != nil {
		return err
	}
	log := h.cfg.Logger
	if len(rest) > 0 {
		log = log.With("leftOut", rest)
	}
	log.Info("docked", "module", m.Manifest().Name, "version", m.Manifest().Version, "file", name,
		"controllers", names, "took", h.cfg.Clock.Since(start).Round(time.Millisecond).String())
	if len(versions) == 0 {
		return m.Close(ctx) // else the last of its versions does
	}
	return nil
}

// install swaps the controllers that stay, starts the new ones and stops those
// that the new module lacks.
func (h *Host) install(ctx context.Context, name string, next, old *module, versions []*loop.Version) error {
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
			err = h.add(v) //nolint:contextcheck // it runs under the term's context, which outlives this one
		}
		if err != nil {
			for _, rest := range versions[i:] {
				rest.Close()
			}
			return err
		}
		h.checkAccess(ctx, v)
	}
	if old != nil {
		for _, was := range old.controllers {
			if !slices.Contains(next.controllers, was) {
				h.remove(was)
			}
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.modules[name] = next
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
func (h *Host) checkNames(name string, names []string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for other, mod := range h.modules {
		if other == name {
			continue
		}
		for _, c := range names {
			if slices.Contains(mod.controllers, c) {
				return fmt.Errorf("cannot dock %s: controller %q is docked from %s already; undock that one first, or build yours under another name",
					name, c, other)
			}
		}
	}
	return nil
}

// chosen parts a module's controllers into those that this host runs and the
// others.
func (h *Host) chosen(m *abi.Manifest) (names, rest []string) {
	for i := range m.Controllers {
		if name := m.Controllers[i].Name; h.runs(name) {
			names = append(names, name)
		} else {
			rest = append(rest, name)
		}
	}
	return names, rest
}

// runs tells if the host is to run a controller.
func (h *Host) runs(controller string) bool {
	return len(h.cfg.Only) == 0 || slices.Contains(h.cfg.Only, controller)
}

// warnOfUnknown tells of controllers that are to be run and that no module has.
func (h *Host) warnOfUnknown() {
	for _, name := range h.cfg.Only {
		if h.controller(name) == nil {
			h.cfg.Logger.Warn("no docked module has this controller, which is to be run", "controller", name)
		}
	}
}
