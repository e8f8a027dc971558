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
	left := int64(stack[0]) //nolint:gosec // an i64
	k.calls++
	k.spent += k.slice - left
	if k.budget > 0 && k.spent > k.budget {
		panic(errOutOfFuel)
	}
	stack[0] = uint64(k.slice) //nolint:gosec // never negative
}

// offer makes the runtime offer what metered modules import.
func (k *tank) offer(t testing.TB, r wazero.Runtime) {
	t.Helper()
	_, err := r.NewHostModuleBuilder(meter.ImportModule).NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(k.refill), []api.ValueType{api.ValueTypeI64}, []api.ValueType{api.ValueTypeI64}).
		Export(meter.ImportRefill).Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}

func newRuntime(t testing.TB, config wazero.RuntimeConfig) wazero.Runtime {
	t.Helper()
	r := wazero.NewRuntimeWithConfig(t.Context(), config)
	t.Cleanup(func() { _ = r.Close(context.Background()) })
	return r
}

// metered rewrites a module.
func metered(t testing.TB, wasm []byte, cfg meter.Config) ([]byte, *meter.Info) {
	t.Helper()
	out, info, err := meter.Rewrite(wasm, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return out, info
}

// guests are the guests that were built.
func guests(t testing.TB) []string {
	t.Helper()
	files, _ := filepath.Glob("../../.build/guests/*.wasm")
	if len(files) == 0 {
		t.Skip("no guests in .build/guests: build them with make guests")
	}
	return files
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// offerABI makes the runtime offer what guests import; nothing that they ask has
// an answer.
func offerABI(t testing.TB, r wazero.Runtime) {
	t.Helper()
	if _, err := wasi_snapshot_preview1.Instantiate(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	_, err := r.NewHostModuleBuilder("loopdock_abi_1").
		NewFunctionBuilder().WithFunc(func(_, _, _, _ int32) int32 { return -3 }).Export("read").
		NewFunctionBuilder().WithFunc(func(_, _, _ int32) {}).Export("log").
		Instantiate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
}
