package wire_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/loopdock/loopdock/abi/wire"
)

func TestAppendAgreesWithProtowire(t *testing.T) {
	for _, v := range []uint64{0, 1, 127, 128, 300, 1 << 31, math.MaxInt64, math.MaxUint64} {
		if got, want := wire.AppendVarint(nil, v), protowire.AppendVarint(nil, v); !bytes.Equal(got, want) {
			t.Errorf("AppendVarint(%d) = %x, want %x", v, got, want)
		}
		if got, want := wire.SizeVarint(v), protowire.SizeVarint(v); got != want {
			t.Errorf("SizeVarint(%d) = %d, want %d", v, got, want)
		}
	}
	if got := wire.AppendInt(nil, 3, -1); len(got) != 11 {
		t.Errorf("a negative int takes %d bytes, want 11", len(got))
	}
}

func TestAppendMessageOfEveryLengthSize(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 129, 16383, 16384, 70000} {
		body := bytes.Repeat([]byte{7}, n)
		got := wire.AppendMessage([]byte("x"), 5, func(b []byte) []byte { return append(b, body...) })
		want := protowire.AppendBytes(protowire.AppendTag([]byte("x"), 5, protowire.BytesType), body)
		if !bytes.Equal(got, want) {
			t.Errorf("AppendMessage of %d bytes differs from protowire's", n)
		}
	}
}

func TestReaderRefusesMalformedMessages(t *testing.T) {
	cases := map[string]struct {
		reason string
		in     []byte
		want   error
	}{
		"tag cut":      {"a tag announces more bytes", []byte{0x80}, wire.ErrTruncated},
		"value cut":    {"a varint field without its value", []byte{0x08}, wire.ErrTruncated},
		"length cut":   {"fewer bytes than the length says", []byte{0x0a, 5, 1}, wire.ErrTruncated},
		"huge length":  {"a length beyond any slice", append([]byte{0x0a}, protowire.AppendVarint(nil, math.MaxUint64)...), wire.ErrTruncated},
		"fixed64 cut":  {"seven of eight bytes", []byte{0x09, 1, 2, 3, 4, 5, 6, 7}, wire.ErrTruncated},
		"fixed32 cut":  {"three of four bytes", []byte{0x0d, 1, 2, 3}, wire.ErrTruncated},
		"overflow":     {"an eleven byte varint", append([]byte{0x08}, bytes.Repeat([]byte{0xff}, 11)...), wire.ErrOverflow},
		"field zero":   {"field numbers start at one", []byte{0x00, 1}, wire.ErrField},
		"group":        {"groups are not read", []byte{0x0b}, wire.ErrType},
		"unknown type": {"six and seven do not exist", []byte{0x0e}, wire.ErrType},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := wire.Valid(tc.in); got != tc.want { //nolint:errorlint // Error values compare with ==
				t.Errorf("%s: got %v, want %v", tc.reason, got, tc.want)
			}
		})
	}
}

func TestAccessorOfAnotherTypeStops(t *testing.T) {
	r := wire.NewReader(wire.AppendString(wire.AppendUint(nil, 1, 9), 2, "after"))
	if !r.Next() || r.Bytes() != nil || !errors.Is(r.Err(), wire.ErrMismatch) || r.Next() {
		t.Errorf("a varint read as bytes must stop the walk, got err %v", r.Err())
	}
}

func TestFindTakesTheLast(t *testing.T) {
	b := wire.AppendUint(wire.AppendString(wire.AppendString(nil, 2, "a"), 2, "b"), 3, 4)
	if v, ok := wire.Find(b, 2); !ok || string(v) != "b" {
		t.Errorf("Find = %q %v, want b true", v, ok)
	}
	if v, ok := wire.FindUint(b, 3); !ok || v != 4 {
		t.Errorf("FindUint = %d %v, want 4 true", v, ok)
	}
	if _, ok := wire.Find(b, 9); ok {
		t.Error("Find reports an absent field")
	}
}

// FuzzReader holds the reader to protowire's verdict on arbitrary bytes.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0x0a, 1, 'x', 0x10, 0x80, 1})
	f.Add([]byte{0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x1d, 1, 2, 3, 4})
	f.Fuzz(func(t *testing.T, b []byte) {
		rest, r := b, wire.NewReader(b)
		for r.Next() {
			num, typ, n := protowire.ConsumeField(rest)
			if n < 0 {
				t.Fatalf("read field %d where protowire says %v", r.Field(), protowire.ParseError(n))
			}
			if int(num) != r.Field() || uint8(typ) != uint8(r.Type()) || !bytes.Equal(r.Raw(), rest[:n]) {
				t.Fatalf("field %d type %d %x, protowire %d %d %x", r.Field(), r.Type(), r.Raw(), num, typ, rest[:n])
			}
			rest = rest[n:]
		}
		if r.Err() == nil && len(rest) != 0 {
			t.Fatalf("ended with %d bytes left and no error", len(rest))
		}
		if r.Err() != nil && !errors.Is(r.Err(), wire.ErrType) { // groups are well-formed to protowire
			if _, _, n := protowire.ConsumeField(rest); n >= 0 {
				t.Fatalf("refused with %v what protowire accepts: %x", r.Err(), rest)
			}
		}
	})
}
