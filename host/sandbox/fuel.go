package sandbox

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/tetratelabs/wazero/api"

	"github.com/loopdock/loopdock/host/meter"
)

// slice is how much fuel a guest gets at once: about a quarter of a millisecond of
// work. When it is spent, Go gets its turn.
const slice = 1_000_000

// tank is the fuel of a call.
type tank struct {
	total, left int64             // what it had at first, and what the guest has not been given yet
	gauge       api.MutableGlobal // what the guest has of its slice; nil before there is an instance
}

// newTank is a full tank, of which the guest has the first slice.
func newTank(total int64) tank { return tank{total: total, left: total - slice} }

// refill gives the next slice, once what the guest has overspent is paid.
func (t *tank) refill(ctx context.Context, has int64) int64 {
	runtime.Gosched()
	limit := (*LimitError)(nil)
	switch cause := context.Cause(ctx); {
	case errors.As(cause, &limit):
		panic(limit) // wazero turns it into the call's error
	case cause != nil:
		panic(&hostError{"wait for the guest", cause})
	case t.left <= 0 || t.left+has < 0:
		panic(&LimitError{Limit: "units of fuel of a call", Value: t.total})
	}
	next := min(t.left, slice-has)
	t.left -= next
	return next + has
}

// spend charges for bytes that a host function copies.
func (t *tank) spend(bytes int) {
	if t.gauge != nil {
		t.gauge.Set(api.EncodeI64(int64(t.gauge.Get()) - int64(bytes/meter.BytesPerUnit))) //nolint:gosec // the global is an i64
	}
}

// spent is what the call has spent so far.
func (t *tank) spent() int64 {
	if t.gauge == nil {
		return 0
	}
	return t.total - t.left - int64(t.gauge.Get()) //nolint:gosec // as above
}

// connect finds the counters of a new instance, which its first call shares.
func (i *instance) connect(c *call) {
	i.fuel, _ = i.wasm.ExportedGlobal(meter.ExportFuel).(api.MutableGlobal) // which metering has added
	i.native, _ = i.wasm.ExportedGlobal(meter.ExportStack).(api.MutableGlobal)
	c.tank.gauge = i.fuel
}

// fill gives a call its first slice.
func (i *instance) fill(c *call) {
	c.tank.gauge = i.fuel
	i.fuel.Set(slice)
}

// outOfStack reports whether the guest's last call needed more stack than it may.
func (i *instance) outOfStack() bool {
	return i.native != nil && int64(i.native.Get()) < 0 //nolint:gosec // the global is an i64
}

// instantiateMeter offers what metered modules import.
func (r *Runtime) instantiateMeter(ctx context.Context) error {
	i64 := []api.ValueType{api.ValueTypeI64}
	_, err := r.wazero.NewHostModuleBuilder(meter.ImportModule).NewFunctionBuilder().
		WithGoModuleFunction(refillImport, i64, i64).Export(meter.ImportRefill).Instantiate(ctx)
	if err != nil {
		return fmt.Errorf("cannot offer fuel: %w", err)
	}
	return nil
}

// refillImport is refill(left) -> fuel.
var refillImport = api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) {
	c := callOf(ctx)
	if c == nil {
		panic(&hostError{"give fuel", errors.New("the guest runs outside of a call")})
	}
	stack[0] = api.EncodeI64(c.tank.refill(ctx, int64(stack[0])))
})
