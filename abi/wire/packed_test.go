package wire_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/loopdock/loopdock/abi/wire"
)

func TestPackedWalksAllElements(t *testing.T) {
	want := []uint64{0, 1, 300, math.MaxUint64}
	b := wire.AppendMessage(nil, 1, func(b []byte) []byte {
		for _, v := range want {
			b = wire.AppendVarint(b, v)
		}
		return b
	})
	b = wire.AppendMessage(b, 2, func(b []byte) []byte {
		for _, v := range want {
			b = wire.AppendRawFixed64(b, v)
		}
		return b
	})
	var varints, fixed []uint64
	r := wire.NewReader(b)
	for r.Next() {
		for p := r.Packed(); p.More(); {
			if r.Field() == 1 {
				varints = append(varints, p.Varint())
			} else {
				fixed = append(fixed, p.Fixed64())
			}
		}
	}
	if r.Err() != nil || !slices.Equal(varints, want) || !slices.Equal(fixed, want) {
		t.Errorf("walked %v and %v, %v", varints, fixed, r.Err())
	}
}

// TestPackedOfAnotherTypeStops: a number is not a packed field.
func TestPackedOfAnotherTypeStops(t *testing.T) {
	r := wire.NewReader(wire.AppendUint(nil, 1, 5))
	if !r.Next() {
		t.Fatal(r.Err())
	}
	if p := r.Packed(); p.More() || !errors.Is(r.Err(), wire.ErrMismatch) {
		t.Errorf("the walk goes on: %v", r.Err())
	}
}

// FuzzPacked holds the walk over elements to protowire's.
func FuzzPacked(f *testing.F) {
	f.Add([]byte{1, 0x80, 2}, false)
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9}, true)
	f.Fuzz(func(t *testing.T, b []byte, fixed bool) {
		r := wire.NewReader(wire.AppendRawBytes(nil, 1, b))
		if !r.Next() {
			t.Fatal(r.Err())
		}
		rest := b
		for p := r.Packed(); p.More(); {
			var got, want uint64
			var n int
			if fixed {
				got = p.Fixed64()
				want, n = protowire.ConsumeFixed64(rest)
			} else {
				got = p.Varint()
				want, n = protowire.ConsumeVarint(rest)
			}
			if (n < 0) != (r.Err() != nil) {
				t.Fatalf("got %v where protowire says %d: %x", r.Err(), n, rest)
			}
			if n < 0 {
				return
			}
			if got != want {
				t.Fatalf("got %d, protowire %d: %x", got, want, rest)
			}
			rest = rest[n:]
		}
		if len(rest) != 0 {
			t.Fatalf("ended with %d bytes left", len(rest))
		}
	})
}
