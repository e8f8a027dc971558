package main

import "github.com/loopdock/loopdock/abi"

// answer collects what a command tells: an action each, with its name and body.
type answer struct{ abi.Response }

// tell adds bytes under a name.
func (a *answer) tell(name string, body []byte) {
	if len(a.Batches) == 0 {
		a.Batches = make([]abi.Batch, 1)
	}
	a.Batches[0].Actions = append(a.Batches[0].Actions, abi.Action{
		Verb: abi.VerbPatch, Kind: &abi.Kind{APIVersion: "v1", Kind: "ConfigMap"}, Namespace: "default", Name: name,
		PatchType: abi.PatchTypeMerge, Body: body,
	})
}

// number adds a number in eight bytes, the least significant first.
func (a *answer) number(name string, n int64) {
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(n >> (8 * i)) //nolint:gosec // its low bits
	}
	a.tell(name, b)
}

// number reads a number as it is told, zero where there is none.
func number(b []byte) int64 {
	var n int64
	for i := range min(len(b), 8) {
		n |= int64(b[i]) << (8 * i)
	}
	return n
}
