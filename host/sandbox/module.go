package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/meter"
)

// Module is a compiled and checked module.
//
// # Notes
//
//   - It is safe for use by several goroutines.
//   - Close waits for the calls that are under way, and closes all instances;
//     later calls fail. It waits as long as they take, whatever its context says,
//     and may be called again.
type Module struct {
	runtime  *Runtime
	name     string
	compiled wazero.CompiledModule
	manifest *abi.Manifest
	digest   string
	size     int
	used     atomic.Int64 // bytes of linear memory
	live     atomic.Int64 // instances

	mu     sync.Mutex
	pools  []*Pool
	closed bool

	closeOnce  sync.Once
	closeError error
}

// Load compiles a module, checks it, and asks it for its manifest. The name
// stands for it in messages. The error is a *LoadError.
func (r *Runtime) Load(ctx context.Context, name string, wasm []byte) (*Module, error) {
	if err := checkHeader(name, wasm); err != nil {
		return nil, err
	}
	metered, err := r.meter(wasm)
	if err != nil {
		return nil, meterError(name, err)
	}
	compiled, err := r.wazero.CompileModule(ctx, metered)
	if err != nil {
		return nil, compileError(name, err)
	}
	sum := sha256.Sum256(wasm)
	m := &Module{runtime: r, name: name, compiled: compiled, digest: hex.EncodeToString(sum[:]), size: len(wasm)}
	if err := m.check(ctx); err != nil {
		_ = m.Close(ctx) // the check's error says more
		return nil, err
	}
	return m, nil
}

// check holds the module against the ABI.
func (m *Module) check(ctx context.Context) error {
	if err := checkImports(m.name, m.compiled); err != nil {
		return err
	}
	if err := checkExports(m.name, m.compiled); err != nil {
		return err
	}
	manifest, err := m.describe(ctx)
	if err != nil {
		return describeError(m.name, err)
	}
	if err := checkManifest(manifest); err != nil {
		return &LoadError{Module: m.name, Problem: "its manifest is not valid", Cause: err, hint: "change what the module describes, or run a host that offers it"}
	}
	m.manifest = manifest
	return nil
}

// Manifest is what the module says of itself. It must not be changed.
func (m *Module) Manifest() *abi.Manifest { return m.manifest }

// Digest is the SHA-256 of the module's bytes, in hexadecimal.
func (m *Module) Digest() string { return m.digest }

// Size is the length of the module in bytes.
func (m *Module) Size() int { return m.size }

// MemoryBytes is the linear memory that the module's instances hold.
func (m *Module) MemoryBytes() int64 { return m.used.Load() }

// Instances is the number of live instances.
func (m *Module) Instances() int64 { return m.live.Load() }

// Imports lists what the module imports, as "module.name".
func (m *Module) Imports() []string {
	functions := m.compiled.ImportedFunctions()
	out := make([]string, 0, len(functions))
	for _, f := range functions {
		if module, name, _ := f.Import(); module != meter.ImportModule {
			out = append(out, module+"."+name)
		}
	}
	return out
}

// Exports lists the functions and memories that the module exports.
func (m *Module) Exports() []string {
	out := slices.Collect(maps.Keys(m.compiled.ExportedFunctions()))
	out = slices.AppendSeq(out, maps.Keys(m.compiled.ExportedMemories()))
	slices.Sort(out)
	return out
}

// Close closes the module's pools and gives its code back.
func (m *Module) Close(ctx context.Context) error {
	m.closeOnce.Do(func() {
		m.mu.Lock()
		pools := m.pools
		m.pools, m.closed = nil, true
		m.mu.Unlock()
		for _, p := range pools {
			p.close(ctx)
		}
		m.closeError = m.compiled.Close(ctx) // once: wazero counts who uses equal code
	})
	return m.closeError
}
