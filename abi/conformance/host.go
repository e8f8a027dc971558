package conformance

import (
	"context"
	"errors"

	"github.com/loopdock/loopdock/abi"
)

// Host runs guests. It is what Run checks.
type Host interface {
	// Dock loads a module and asks it for its manifest. The name stands for the
	// module in messages.
	Dock(ctx context.Context, name string, wasm []byte) (Guest, error)
}

// Guest is a module that was docked.
//
// # Notes
//
//   - Reconcile is called by one goroutine at a time. It may call any instance of the
//     module, and must not call one again in which a call has failed.
//   - Close gives back all that the guest holds; it is called once.
type Guest interface {
	Manifest() *abi.Manifest
	Reconcile(ctx context.Context, req *abi.Request, out Outside) (*abi.Response, error)
	Close(ctx context.Context) error
}

// Outside is what a guest reaches in one reconcile.
type Outside struct {
	// Read answers encoded Queries. An error that wraps ErrMalformed or ErrLimit is to
	// be told to the guest as abi.ReadMalformed or abi.ReadLimit; any other fails the
	// reconcile. The queries are good until it returns.
	Read func(ctx context.Context, queries []byte) ([]byte, error)
	// Log takes a line that the guest logged or printed.
	Log func(level int32, line string)
}

// What Outside.Read's errors wrap.
var (
	ErrMalformed = errors.New("malformed queries")
	ErrLimit     = errors.New("read limit reached")
)
