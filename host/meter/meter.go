package meter

import "math"

// The names of the metering's own. A module that imports from ImportModule, or has
// an export whose name begins with it, is refused.
const (
	// ImportModule and ImportRefill name the function that a metered module
	// imports and its host offers: (left i64) -> (fuel i64).
	ImportModule = "loopdock_meter"
	ImportRefill = "refill"
	// ExportFuel names the global that holds the fuel that is left, a mutable i64.
	ExportFuel = "loopdock_meter_fuel"
	// ExportStack names the global that holds the bytes of native stack that are
	// left, a mutable i64.
	ExportStack = "loopdock_meter_stack"
)

const (
	// OutOfFuel is what ExportFuel holds after a trap for want of fuel, and only
	// then.
	OutOfFuel = math.MinInt64
	// BytesPerUnit is how many bytes a unit of fuel moves. A host function charges
	// what it copies for a guest by it.
	BytesPerUnit = 1 << bytesShift
)

// Revision changes whenever Rewrite gives other bytes for the same module and
// configuration: what was kept of an older one is of no use then.
const Revision = 1

// Config says how a module is metered. Zeros mean the defaults.
type Config struct {
	// Limits are what a module may ask for.
	Limits Limits
	// Fuel is what an instance begins with. Default 1,000,000: a quarter of a
	// millisecond of most code, and more where each load waits for memory.
	Fuel int64
	// StackBytes is the native stack that calls may take. Default 1 MiB.
	StackBytes int64
}

// Info is what a host may want to know of a metered module.
type Info struct {
	// Functions and Instructions are how many the module has, without what
	// metering adds.
	Functions, Instructions uint64
	// Charges is in how many places fuel is charged, Checks in how many of them it
	// is looked at, and Framed how many functions charge their frame.
	Charges, Checks, Framed uint64
	// Helpers is how many functions were added.
	Helpers uint64
	// Dropped are custom sections that speak of places in the code, and were left
	// out.
	Dropped []string
}

// Rewrite validates a module of WebAssembly 2.0, and gives it with metering added.
// The same module and configuration give the same bytes. The error is a
// *FormatError, a *LimitError, a *ReservedError, or says what is wrong with the
// configuration.
//
// # Notes
//
//   - It keeps nothing of what it is given, and is safe for use by several
//     goroutines.
//   - It takes time and memory in proportion to the module's size.
func Rewrite(wasm []byte, cfg Config) ([]byte, *Info, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, nil, err
	}
	m, err := read(wasm, cfg.Limits.withDefaults())
	if err != nil {
		return nil, nil, err
	}
	if err := m.checkReserved(); err != nil {
		return nil, nil, err
	}
	r := newRewriter(m, cfg)
	if err := r.rewrite(); err != nil {
		return nil, nil, err
	}
	return r.encode(), &r.info, nil
}
