package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/loopdock/loopdock/abi"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// instance is a running module. It serves one call at a time; after an error it
// is closed.
type instance struct {
	module *Module
	wasm   api.Module
	world  *world
	alloc  api.Function
	run    api.Function
	buffer []byte // for encoding requests
}

// newInstance instantiates the module and runs its initialiser, with a fixed time
// and seed: every instance begins alike.
func (m *Module) newInstance(ctx context.Context) (*instance, *call, error) {
	i := &instance{module: m, world: &world{}}
	c := &call{max: m.runtime.cfg.Limits.LogLineBytes, log: m.logInit}
	i.world.set(initTime, 0, c)
	memory := &allocator{limit: uint64(m.runtime.cfg.Limits.MemoryBytes), used: &m.used} //nolint:gosec // checked by New
	wasm, err := m.instantiate(experimental.WithMemoryAllocator(ctx, memory), i.world)
	if err != nil {
		return nil, c, &TrapError{Module: m.name, Export: "instantiation", Cause: err}
	}
	i.wasm = wasm
	m.live.Add(1)
	if f := wasm.ExportedFunction(abi.ExportInitialize); f != nil {
		if _, err := f.Call(c.in(ctx)); err != nil {
			return nil, c, errors.Join(&TrapError{Module: m.name, Export: abi.ExportInitialize, Cause: err, LastLines: c.lines}, i.close(ctx))
		}
	}
	i.alloc, i.run = wasm.ExportedFunction(abi.ExportAlloc), wasm.ExportedFunction(abi.ExportReconcile)
	return i, c, nil
}

// instantiate turns the panic by which wazero answers a memory that can't be had
// into an error.
func (m *Module) instantiate(ctx context.Context, w *world) (wasm api.Module, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &LimitError{Limit: "linear memory in bytes", Value: m.runtime.cfg.Limits.MemoryBytes, Asked: m.minMemory()}
		}
	}()
	if least := m.minMemory(); least > m.runtime.cfg.Limits.MemoryBytes {
		return nil, &LimitError{Limit: "linear memory in bytes", Value: m.runtime.cfg.Limits.MemoryBytes, Asked: least}
	}
	return m.runtime.wazero.InstantiateModule(ctx, m.compiled, w.moduleConfig())
}

// minMemory is how much memory the module begins with.
func (m *Module) minMemory() int64 {
	if memory, ok := m.compiled.ExportedMemories()[abi.ExportMemory]; ok {
		return int64(memory.Min()) << 16
	}
	return 0
}

func (m *Module) logInit(level int32, message string) {
	m.runtime.cfg.Logger.Debug("guest says while it starts", "module", m.name, "level", level, "line", message)
}

// close frees the instance.
func (i *instance) close(ctx context.Context) error {
	i.module.live.Add(-1)
	return i.wasm.Close(ctx)
}

// describe asks a first instance for the manifest.
func (m *Module) describe(ctx context.Context) (*abi.Manifest, error) {
	fail := func(err error) error {
		return &LoadError{Module: m.name, Problem: "it fails before it can say what it is", Cause: err}
	}
	i, c, err := m.newInstance(ctx)
	if err != nil {
		return nil, fail(err)
	}
	manifest, err := i.describe(ctx, c)
	if err != nil {
		return nil, errors.Join(fail(err), i.close(ctx))
	}
	return manifest, i.close(ctx)
}

func (i *instance) describe(ctx context.Context, c *call) (*abi.Manifest, error) {
	out, err := i.wasm.ExportedFunction(abi.ExportDescribe).Call(c.in(ctx))
	if err != nil {
		return nil, i.trap(abi.ExportDescribe, err, c)
	}
	b, err := i.result(out[0])
	if err != nil {
		return nil, i.trap(abi.ExportDescribe, err, c)
	}
	m := new(abi.Manifest)
	if err := m.Decode(bytes.Clone(b)); err != nil {
		return nil, i.trap(abi.ExportDescribe, err, c)
	}
	return m, nil
}

// reconcile makes one call. After an error the instance must not be used again.
func (i *instance) reconcile(ctx context.Context, req *abi.Request, c *call) (*abi.Response, error) {
	i.world.set(req.NowNS, req.Seed, c)
	defer func() { i.world.call = nil }()
	ctx = c.in(ctx)
	i.buffer = req.Append(i.buffer[:0])
	n := uint64(len(i.buffer))
	at, err := i.alloc.Call(ctx, n)
	if err != nil {
		return nil, i.trap(abi.ExportAlloc, err, c)
	}
	if !i.wasm.Memory().Write(i32(at[0]), i.buffer) {
		return nil, i.trap(abi.ExportAlloc, fmt.Errorf("it gave room at %d for %d bytes, which is outside its memory", i32(at[0]), n), c)
	}
	out, err := i.run.Call(ctx, at[0], n)
	if err != nil {
		return nil, i.trap(abi.ExportReconcile, err, c)
	}
	b, err := i.result(out[0])
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

// result finds the bytes that a packed pointer and length name.
func (i *instance) result(packed uint64) ([]byte, error) {
	at, n := uint32(packed>>32), i32(packed) //nolint:gosec // the upper half
	if limit := i.module.runtime.cfg.Limits.ResponseBytes; int64(n) > limit {
		return nil, &LimitError{Limit: "response bytes", Value: limit, Asked: int64(n)}
	}
	b, ok := i.wasm.Memory().Read(at, n)
	if !ok {
		return nil, fmt.Errorf("it answered with %d bytes at %d, which is outside its memory", n, at)
	}
	return b, nil
}

// trap says what ended a call. What the host itself could not do is not blamed
// on the guest.
func (i *instance) trap(export string, err error, c *call) error {
	if host := (*readError)(nil); errors.As(err, &host) {
		return host
	}
	return &TrapError{Module: i.module.name, Export: export, Cause: err, LastLines: c.lines}
}
