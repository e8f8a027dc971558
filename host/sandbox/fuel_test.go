package sandbox

import (
	"context"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func fuelLimited(fuel int64) Config {
	limits := small
	limits.Fuel = fuel
	return Config{Limits: limits}
}

// TestFuel: a call ends when its fuel does, and says so.
func TestFuel(t *testing.T) {
	r := newRuntime(t, fuelLimited(10*slice))
	m := load(t, r, "spin")
	_, usage, err := m.NewPool(PoolConfig{}).Reconcile(t.Context(), "key", request("key"), nil, nil)
	want := "guest spin.wasm failed in loopdock_reconcile: limit reached: units of fuel of a call is 10000000"
	if diff := cmp.Diff(want, text(err)); diff != "" {
		t.Error(diff)
	}
	if usage.Fuel < 10*slice || usage.Fuel > 11*slice {
		t.Errorf("it spent %d units of %d", usage.Fuel, 10*slice)
	}
	wantTrap(t, err)
	wantNothingLeft(t, m)
}

// TestInitialiserFuel: the limit holds before the first call too.
func TestInitialiserFuel(t *testing.T) {
	r := newRuntime(t, fuelLimited(10*slice))
	_, err := r.Load(t.Context(), "x.wasm", readFixture(t, "initialize-spin"))
	want := "cannot dock x.wasm: " + early + "_initialize: limit reached: units of fuel of a call is 10000000"
	if diff := cmp.Diff(want, text(err)); diff != "" {
		t.Error(diff)
	}
	wantRefusal(t, err)
}

// TestFuelIsEachCalls: what a call spends is told, is the same for the same work,
// and is not missing from the next.
func TestFuelIsEachCalls(t *testing.T) {
	r := newRuntime(t, fuelLimited(slice))
	p := load(t, r, "response-edge").NewPool(PoolConfig{})
	var spent []int64
	for range 4 {
		_, usage, err := p.Reconcile(t.Context(), "key", request("key"), answered, nil)
		if err != nil {
			t.Fatal(err)
		}
		spent = append(spent, usage.Fuel)
	}
	for _, s := range spent {
		if s != spent[0] || s <= 0 {
			t.Errorf("the same work cost %v", spent)
		}
	}
}

// TestSpinningGuestLeavesGoItsTurn: while a guest spins that never returns, memory
// can be collected, and other goroutines run.
func TestSpinningGuestLeavesGoItsTurn(t *testing.T) {
	limits := small
	limits.Fuel = 1 << 62
	r := newRuntime(t, Config{Limits: limits})
	m := load(t, r, "spin")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, runtime.GOMAXPROCS(0))
	for range cap(ended) {
		go func() {
			_, _, err := m.NewPool(PoolConfig{}).Reconcile(ctx, "key", request("key"), nil, nil)
			ended <- err
		}()
	}
	for range 20 {
		runtime.GC()
		select {
		case err := <-ended:
			t.Fatalf("a guest that spins came back: %v", err)
		default:
		}
	}
	cancel()
	for range cap(ended) {
		if diff := cmp.Diff("the host could not wait for the guest: context canceled", text(<-ended)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestDebtsArePaid: a host call may cost more than what is left of a slice, and
// more than a slice.
func TestDebtsArePaid(t *testing.T) {
	tank := newTank(10 * slice)
	for _, has := range []int64{-1, -slice / 2, -3 * slice} {
		before := tank.left
		if got := tank.refill(t.Context(), has); got != slice {
			t.Errorf("with %d the guest gets %d units, not a slice", has, got)
		}
		if paid := before - tank.left; paid != slice-has {
			t.Errorf("with %d the tank gave %d units", has, paid)
		}
	}
	if got := tank.refill(t.Context(), -tank.left+7); got != 7 {
		t.Errorf("of the last units the guest gets %d, not 7", got)
	}
	defer func() {
		if limit, ok := recover().(*LimitError); !ok || limit.Value != 10*slice {
			t.Errorf("an empty tank gives on: %v", limit)
		}
	}()
	tank.refill(t.Context(), -1)
}

// TestDebtThatIsTooLarge: what can't be paid ends the call, however much is left.
func TestDebtThatIsTooLarge(t *testing.T) {
	tank := newTank(10 * slice)
	defer func() {
		if _, ok := recover().(*LimitError); !ok {
			t.Error("a debt is forgiven")
		}
	}()
	tank.refill(t.Context(), -20*slice)
}
