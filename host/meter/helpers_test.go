package meter_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/loopdock/loopdock/host/meter"
)

var errOutOfFuel = errors.New("out of fuel")

// tank is an embedder's side of metering: it gives slices until its budget is
// spent.
type tank struct {
	slice  int64
	budget int64 // zero is without end
	spent  int64
	calls  int
}

func (k *tank) refill(_ context.Context, _ api.Module, stack []uint64) {
	left := int64(stack[0])
	k.calls++
	k.spent += k.slice - left
	if k.budget > 0 && k.spent > k.budget {
		panic(errOutOfFuel)
	}
	stack[0] = uint64(k.slice)
}

// offer makes the runtime offer what metered modules import.
func (k *tank) offer(tb testing.TB, r wazero.Runtime) {
	tb.Helper()
	_, err := r.NewHostModuleBuilder(meter.ImportModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(k.refill), []api.ValueType{api.ValueTypeI64}, []api.ValueType{api.ValueTypeI64}).
		Export(meter.ImportRefill).Instantiate(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
}

func newRuntime(tb testing.TB, config wazero.RuntimeConfig) wazero.Runtime {
	tb.Helper()
	r := wazero.NewRuntimeWithConfig(tb.Context(), config)
	tb.Cleanup(func() { _ = r.Close(context.WithoutCancel(tb.Context())) })
	return r
}

// metered rewrites a module.
func metered(tb testing.TB, wasm []byte, cfg meter.Config) ([]byte, *meter.Info) {
	tb.Helper()
	out, info, err := meter.Rewrite(wasm, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return out, info
}

// guests are the guests that were built.
func guests(tb testing.TB) []string {
	tb.Helper()
	files, _ := filepath.Glob("../../.build/guests/*.wasm")
	if len(files) == 0 {
		tb.Skip("no guests in .build/guests: build them with make guests")
	}
	return files
}

func readFile(tb testing.TB, name string) []byte {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// offerABI makes the runtime offer what guests import; nothing that they ask has
// an answer.
func offerABI(tb testing.TB, r wazero.Runtime) {
	tb.Helper()
	if _, err := wasi_snapshot_preview1.Instantiate(tb.Context(), r); err != nil {
		tb.Fatal(err)
	}
	_, err := r.NewHostModuleBuilder("loopdock_abi_1").
		NewFunctionBuilder().WithFunc(func(_, _, _, _ int32) int32 { return -3 }).Export("read").
		NewFunctionBuilder().WithFunc(func(_, _, _ int32) {}).Export("log").
		Instantiate(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
}
