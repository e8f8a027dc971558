package abi

import (
	"math"

	"github.com/loopdock/loopdock/abi/wire"
)

// appendVarints reads a repeated number: packed into one field, as protobuf 3
// writes it, or one element a field, as it must be read too.
func appendVarints[T ~int32 | ~int64 | ~uint32 | ~uint64](to []T, r *wire.Reader) []T {
	if r.Type() == wire.Varint {
		return append(to, T(r.Uint()))
	}
	for p := r.Packed(); p.More(); {
		to = append(to, T(p.Varint()))
	}
	return to
}

// appendDoubles does the same for doubles.
func appendDoubles(to []float64, r *wire.Reader) []float64 {
	if r.Type() == wire.Fixed64 {
		return append(to, math.Float64frombits(r.Fixed()))
	}
	for p := r.Packed(); p.More(); {
		to = append(to, math.Float64frombits(p.Fixed64()))
	}
	return to
}
