package sandbox

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/loopdock/loopdock/abi"
)

// instance is a running module. It serves one call at a time; after an error it
// is closed.
type instance struct {
	module *Module
	wasm   api.Module // nil if it could not be instantiated
	memory *memory
	world  *world
	fuel   api.MutableGlobal // what is left of the slice
	native api.MutableGlobal // what is left of the native stack
	alloc  api.Function
	run    api.Function
	stack  [2]uint64 // parameters and results
	buffer []byte    // for encoding requests
}

// newInstance instantiates the module and runs its initialiser, with a fixed time
// and seed: every instance begins alike.
func (m *Module) newInstance(ctx context.Context) (*instance, *call, error) {
	limits := m.runtime.cfg.Limits
	ctx, cancel := limits.timed(ctx)
	defer cancel()
	c := &call{max: limits.LogLineBytes, log: m.logInit, tank: newTank(limits.Fuel)}
	i := &instance{
		module: m,
		memory: &memory{limit: uint64(limits.MemoryBytes), used: &m.used}, //nolint:gosec // checked by New
		world:  newWorld(),
	}
	i.world.set(initTime, 0, c)
	m.live.Add(1)
	if err := i.start(c.in(ctx), c); err != nil {
		i.close(ctx)
		return nil, c, err
	}
	return i, c, nil
}

// start brings the instance to where it can be called.
func (i *instance) start(ctx context.Context, c *call) error {
	if err := i.instantiate(ctx); err != nil {
		i.world.flush()
		return i.trap("instantiation", err, c)
	}
	i.connect(c)
	if f := i.wasm.ExportedFunction(abi.ExportInitialize); f != nil {
		if _, err := i.invoke(ctx, abi.ExportInitialize, f, c); err != nil {
			return err
		}
	}
	i.alloc, i.run = i.wasm.ExportedFunction(abi.ExportAlloc), i.wasm.ExportedFunction(abi.ExportReconcile)
	return nil
}

// instantiate turns the panic by which wazero answers a memory that the system
// does not give into an error.
func (i *instance) instantiate(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			cause := i.memory.failed
			if cause == nil {
				cause = fmt.Errorf("panic: %v", p)
			}
			err = &hostError{"make an instance of " + i.module.name, cause}
		}
	}()
	m := i.module
	i.wasm, err = m.runtime.wazero.InstantiateModule(experimental.WithMemoryAllocator(ctx, i.memory), m.compiled, i.world.moduleConfig())
	return err
}

func (m *Module) logInit(level int32, message string) {
	m.runtime.cfg.Logger.Debug("guest says while it starts", "module", m.name, "level", level, "line", message)
}

// close frees the instance, also one that did not come to life.
func (i *instance) close(ctx context.Context) {
	if i.wasm != nil {
		if err := i.wasm.Close(ctx); err != nil {
			i.module.runtime.cfg.Logger.Warn("cannot close an instance", "module", i.module.name, "err", err.Error())
		}
	}
	i.memory.Free()
	i.module.live.Add(-1)
}

// reconcile makes one call. After an error the instance must not be used again.
func (i *instance) reconcile(ctx context.Context, req *abi.Request, reader Reader, c *call) (*abi.Response, error) {
	i.world.set(req.NowNS, req.Seed, c)
	defer func() { i.world.call = nil }()
	ctx = c.in(ctx)
	i.fill(c)
	i.buffer = req.Append(i.buffer[:0])
	n := uint64(len(i.buffer))
	at, err := i.invoke(ctx, abi.ExportAlloc, i.alloc, c, n)
	if err != nil {
		return nil, err
	}
	if !i.wasm.Memory().Write(i32(at), i.buffer) {
		return nil, i.trap(abi.ExportAlloc, fmt.Errorf("it gave room at %d for %d bytes, which is outside its memory", i32(at), n), c)
	}
	c.reader = reader
	out, err := i.invoke(ctx, abi.ExportReconcile, i.run, c, at, n)
	if err != nil {
		return nil, err
	}
	b, err := i.result(out)
	if err != nil {
		return nil, i.trap(abi.ExportReconcile, err, c)
	}
	resp := new(abi.Response)
	// A copy: the guest may reuse the memory for its next key while this answer's
	// actions are under way.
	if err := resp.Decode(bytes.Clone(b)); err != nil {
		return nil, i.trap(abi.ExportReconcile, err, c)
	}
	return resp, nil
}
