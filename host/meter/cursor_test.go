package meter

import (
	"bytes"
	"math"
	"testing"
)

func TestUnsigned(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		want uint32
		ok   bool
	}{
		{[]byte{0}, 0, true},
		{[]byte{0x7f}, 127, true},
		{[]byte{0x80, 1}, 128, true},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0}, 0, true},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, math.MaxUint32, true},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0x1f}, 0, false},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0}, 0, false},
		{[]byte{0x80}, 0, false},
		{nil, 0, false},
	} {
		r := cursor{b: c.in, end: len(c.in)}
		if got := r.u32(); got != c.want || (r.err == nil) != c.ok || c.ok && r.at != len(c.in) {
			t.Errorf("% x reads as %d, %v at %d", c.in, got, r.err, r.at)
		}
	}
}

func TestSigned(t *testing.T) {
	for _, c := range []struct {
		in   []byte
		bits int
		want int64
		ok   bool
	}{
		{[]byte{0x7f}, 32, -1, true},
		{[]byte{0x40}, 32, -64, true},
		{[]byte{0xc0, 0}, 32, 64, true},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0x07}, 32, math.MaxInt32, true},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x78}, 32, math.MinInt32, true},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, 32, 0, false},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x70}, 32, 0, false},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0}, 32, 0, false},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, 33, 1<<32 - 1, true},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, 64, math.MinInt64, true},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0}, 64, math.MaxInt64, true},
		{[]byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}, 64, 0, false},
		{nil, 32, 0, false},
	} {
		r := cursor{b: c.in, end: len(c.in)}
		got := r.signed(c.bits)
		if (r.err == nil) != c.ok || c.ok && (got != c.want || r.at != len(c.in)) {
			t.Errorf("% x of %d bits reads as %d, %v at %d", c.in, c.bits, got, r.err, r.at)
		}
		if c.ok && !bytes.Equal(appendSigned(nil, got), c.in) {
			t.Errorf("%d is written as % x, not % x", got, appendSigned(nil, got), c.in)
		}
	}
}
