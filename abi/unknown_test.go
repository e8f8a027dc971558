package abi_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/abi/wire"
)

// later is what a later version of a message may have: one field of each wire type.
func later(b []byte) []byte {
	b = wire.AppendUint(b, 1000, 7)
	b = wire.AppendFixed64(b, 1001, 8)
	b = wire.AppendString(b, 1002, "nine")
	return protowire.AppendFixed32(protowire.AppendTag(b, 1003, protowire.Fixed32Type), 10)
}

// TestUnknownFieldsAreSkipped, before, between and after the fields that are known.
func TestUnknownFieldsAreSkipped(t *testing.T) {
	for name, typ := range messages() {
		want := newOurs(t, typ)
		newRandom(2).ours(reflect.ValueOf(want).Elem(), 0)
		b := later(nil)
		for r := wire.NewReader(want.Append(nil)); r.Next(); {
			b = later(append(b, r.Raw()...))
		}
		got := newOurs(t, typ)
		if err := got.Decode(b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(any(want), any(got)); diff != "" {
			t.Errorf("%s\n%s", name, diff)
		}
	}
}

// TestUnknownEnumValuesStay: whoever passes a message on does not lose what a later
// version put there.
func TestUnknownEnumValuesStay(t *testing.T) {
	b := wire.AppendUint(nil, 1, 99)
	var a abi.Action
	if err := a.Decode(b); err != nil || a.Verb != 99 {
		t.Errorf("got verb %d, %v", a.Verb, err)
	}
	if got := a.Append(nil); !bytes.Equal(got, b) {
		t.Errorf("wrote %x, want %x", got, b)
	}
}

// TestRepeatedNumbers are read packed, one by one, and mixed.
func TestRepeatedNumbers(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     []byte
	}{
		"packed":   {"as proto3 writes it", []byte{0x0a, 4, 1, 0, 0xac, 2}},
		"unpacked": {"as proto2 writes it", []byte{0x08, 1, 0x08, 0, 0x08, 0xac, 2}},
		"mixed":    {"a reader must take both in one message", []byte{0x08, 1, 0x0a, 3, 0, 0xac, 2}},
		"pieces":   {"packed in two pieces", []byte{0x0a, 1, 1, 0x0a, 0, 0x0a, 3, 0, 0xac, 2}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var p abi.FieldPath
			if err := p.Decode(tc.in); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]uint32{1, 0, 300}, p.Numbers); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRepeatedDoubles, the same.
func TestRepeatedDoubles(t *testing.T) {
	one := []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}
	packed := append(append([]byte{0x2a, 16}, one...), one...)
	unpacked := append(append(append([]byte{0x29}, one...), 0x29), one...)
	for name, in := range map[string][]byte{"packed": packed, "unpacked": unpacked} {
		var m abi.Metric
		if err := m.Decode(in); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]float64{1, 1}, m.Buckets); diff != "" {
			t.Errorf("%s\n%s", name, diff)
		}
	}
}

// TestLastValueCounts, where a field that is not repeated stands twice.
func TestLastValueCounts(t *testing.T) {
	b := (&abi.Kind{APIVersion: "v1", Kind: "Pod"}).Append(nil)
	b = (&abi.Kind{Kind: "Node"}).Append(b)
	var k abi.Kind
	if err := k.Decode(b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(abi.Kind{APIVersion: "v1", Kind: "Node"}, k); diff != "" {
		t.Error(diff)
	}
}
