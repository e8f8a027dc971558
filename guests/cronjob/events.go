package main

import sdk "github.com/loopdock/loopdock/sdk-go"

// events are told after all else of a call, so that the results of the actions
// before them have the numbers that the next call expects.
type events []func(*sdk.Batch)

func (e *events) add(typ, reason, message string) {
	*e = append(*e, func(b *sdk.Batch) { b.Event(typ, reason, message) })
}

func (e *events) send(r *sdk.Reconcile) {
	b := r.Batch(sdk.Parallel).Always()
	for _, tell := range *e {
		tell(b)
	}
}
