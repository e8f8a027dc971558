package writer

import (
	"context"
	"errors"

	"github.com/loopdock/loopdock/abi"
)

// reasonExternal is the reason of a provider's failures.
const reasonExternal = "External"

// external calls a provider. A provider that changes the outside is behind the
// fence like everything else.
func (w *Writer) external(ctx context.Context, a *abi.Action) done {
	if a.External == nil {
		return failure(invalid("nothing is to be called"))
	}
	p := w.cfg.Providers[a.External.Provider]
	if p == nil {
		return failed(reasonUnsupported, errors.New("this host has no such provider"))
	}
	if err := w.cfg.Fence.Allowed(); err != nil {
		return failure(&FencedError{Cause: err})
	}
	if a.DryRun {
		return done{result: abi.Result{Outcome: abi.OutcomeOK}}
	}
	body, err := p.Call(ctx, a.External.Operation, a.External.Payload)
	if err != nil {
		return failed(reasonExternal, err)
	}
	d := done{result: abi.Result{Outcome: abi.OutcomeOK}}
	if a.WantBody {
		d.result.Body = body
	}
	return d
}
