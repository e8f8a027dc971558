package abi_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
)

// rounds is how many random messages of each type are tried.
const rounds = 200

// TestOursIsReadByReference: what our code writes is what the reference reads and,
// written by it, what our code reads back.
func TestOursIsReadByReference(t *testing.T) {
	for name, typ := range messages() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(rounds) {
				ours := reflect.New(typ)
				newRandom(seed).ours(ours.Elem(), 0)
				message, ok := reflect.TypeAssert[codec](ours)
				if !ok {
					t.Fatal("no codec")
				}
				theirs := newReference(t, name)
				if err := proto.Unmarshal(message.Append(nil), theirs); err != nil {
					t.Fatalf("seed %d: the reference refuses it: %v", seed, err)
				}
				if len(theirs.GetUnknown()) > 0 {
					t.Fatalf("seed %d: the reference does not know %x", seed, theirs.GetUnknown())
				}
				again := newOurs(t, typ)
				if err := again.Decode(marshal(t, theirs)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if !reflect.DeepEqual(ours.Interface(), any(again)) { // cmp is slow
					t.Fatalf("seed %d\n%s", seed, cmp.Diff(ours.Interface(), any(again)))
				}
			}
		})
	}
}

// TestReferenceIsReadByOurs: the same the other way round. Both write the same bytes.
func TestReferenceIsReadByOurs(t *testing.T) {
	for name, typ := range messages() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(rounds) {
				theirs := newReference(t, name)
				newRandom(seed).reference(theirs, 0)
				b := marshal(t, theirs)
				ours := newOurs(t, typ)
				if err := ours.Decode(b); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if got := ours.Append(nil); !bytes.Equal(got, b) {
					t.Fatalf("seed %d: ours writes\n%x\nthe reference\n%x", seed, got, b)
				}
			}
		})
	}
}

// TestAppendAppends: what is in the buffer stays, and decoding replaces.
func TestAppendAppends(t *testing.T) {
	for name, typ := range messages() {
		m := newOurs(t, typ)
		newRandom(1).ours(reflect.ValueOf(m).Elem(), 0)
		b := m.Append(nil)
		if got := m.Append([]byte("before")); !bytes.Equal(got, append([]byte("before"), b...)) {
			t.Errorf("%s does not append", name)
		}
		if err := m.Decode(nil); err != nil || !reflect.ValueOf(m).Elem().IsZero() {
			t.Errorf("%s keeps old fields when it decodes (%v)", name, err)
		}
	}
}

func marshal(tb testing.TB, m proto.Message) []byte {
	tb.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
