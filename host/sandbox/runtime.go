package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

// Runtime compiles modules. There is one a host.
type Runtime struct {
	cfg     Config
	wazero  wazero.Runtime
	cache   wazero.CompilationCache
	metrics *metrics
}

// New makes a runtime. Close it after all its modules.
func New(ctx context.Context, cfg Config) (*Runtime, error) {
	cfg.Limits = cfg.Limits.withDefaults()
	if err := cfg.Limits.check(); err != nil {
		return nil, err
	}
	if cfg.Now == nil {
		cfg.Now = time.Now //nolint:forbidigo // the default of the clock that may be handed in
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	r := &Runtime{cfg: cfg}
	config := wazero.NewRuntimeConfig()
	if cfg.CacheDir != "" {
		if err := prepareCacheDir(cfg.CacheDir); err != nil {
			return nil, err
		}
		cache, err := wazero.NewCompilationCacheWithDir(cfg.CacheDir)
		if err != nil {
			return nil, fmt.Errorf("cannot use the folder for compiled modules: %w", err)
		}
		r.cache, config = cache, config.WithCompilationCache(cache)
	}
	var err error
	if r.metrics, err = newMetrics(cfg.Registerer); err != nil {
		return nil, err
	}
	r.wazero = wazero.NewRuntimeWithConfig(ctx, config)
	if err := r.instantiateImports(ctx); err != nil {
		return nil, errors.Join(err, r.Close(ctx))
	}
	return r, nil
}

// instantiateImports offers what guests may import.
func (r *Runtime) instantiateImports(ctx context.Context) error {
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r.wazero); err != nil {
		return fmt.Errorf("cannot offer WASI: %w", err)
	}
	b := r.wazero.NewHostModuleBuilder(importModule)
	for _, f := range imports {
		b.NewFunctionBuilder().WithGoModuleFunction(f.function, f.params, f.results).Export(f.name)
	}
	if _, err := b.Instantiate(ctx); err != nil {
		return fmt.Errorf("cannot offer the ABI's imports: %w", err)
	}
	return r.instantiateMeter(ctx)
}

// Close frees what all modules hold.
func (r *Runtime) Close(ctx context.Context) error {
	err := r.wazero.Close(ctx)
	if r.cache != nil {
		err = errors.Join(err, r.cache.Close(ctx))
	}
	return err
}

// i32 is the value of an i32 parameter or result.
func i32(v uint64) uint32 { return uint32(v & math.MaxUint32) }
