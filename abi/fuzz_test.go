package abi_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"github.com/loopdock/loopdock/abi"
)

// One target for each message that is decoded from what the other side wrote.

func FuzzManifest(f *testing.F) { fuzz(f, new(abi.Manifest)) }
func FuzzRequest(f *testing.F)  { fuzz(f, new(abi.Request)) }
func FuzzResponse(f *testing.F) { fuzz(f, new(abi.Response)) }
func FuzzQueries(f *testing.F)  { fuzz(f, new(abi.Queries)) }
func FuzzAnswers(f *testing.F)  { fuzz(f, new(abi.Answers)) }
func FuzzResult(f *testing.F)   { fuzz(f, new(abi.Result)) }
func FuzzAction(f *testing.F)   { fuzz(f, new(abi.Action)) }

// fuzz holds a decoder to this, whatever the bytes: it does not panic; its error is
// a *FieldError; what it accepts the reference accepts too; and what it accepted it
// reads again from what it writes.
func fuzz(f *testing.F, kind codec) {
	f.Helper()
	typ := reflect.TypeOf(kind).Elem()
	for seed := range uint64(8) {
		m := newOurs(f, typ)
		newRandom(seed).ours(reflect.ValueOf(m).Elem(), 2)
		f.Add(m.Append(nil))
	}
	f.Add(later(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := newOurs(t, typ)
		if err := m.Decode(b); err != nil {
			if fault := new(abi.FieldError); !errors.As(err, &fault) {
				t.Fatalf("error of type %T: %v", err, err)
			}
			return
		}
		if err := proto.Unmarshal(b, newReference(t, typ.Name())); err != nil && utf8.Valid(b) {
			t.Fatalf("the reference refuses what was accepted: %v\n%x", err, b)
		}
		once := m.Append(nil)
		again := newOurs(t, typ)
		if err := again.Decode(once); err != nil {
			t.Fatalf("can't read what it has written itself: %v\n%x", err, once)
		}
		if twice := again.Append(nil); !bytes.Equal(once, twice) {
			t.Fatalf("wrote %x, read it, and wrote %x", once, twice)
		}
	})
}
