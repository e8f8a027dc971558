package wire_test

import (
	"bytes"
	"testing"

	"github.com/loopdock/loopdock/abi/wire"
)

// FuzzFind holds the fast look-ups to what a Reader finds.
func FuzzFind(f *testing.F) {
	f.Add([]byte{0x0a, 1, 'x', 0x10, 0x80, 1, 0x0a, 0}, 1)
	f.Add([]byte{0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x1d, 1, 2, 3, 4, 0x10, 7}, 2)
	f.Fuzz(func(t *testing.T, b []byte, field int) {
		if field < 1 || field > wire.MaxField {
			return
		}
		var body []byte
		var num uint64
		hasBody, hasNum := false, false
		for r := wire.NewReader(b); r.Next(); {
			if r.Field() != field {
				continue
			}
			switch r.Type() {
			case wire.Bytes:
				body, hasBody = r.Bytes(), true
			case wire.Varint:
				num, hasNum = r.Uint(), true
			default:
			}
		}
		if got, ok := wire.Find(b, field); ok != hasBody || !bytes.Equal(got, body) {
			t.Errorf("Find = %x %v, a Reader finds %x %v", got, ok, body, hasBody)
		}
		if got, ok := wire.FindUint(b, field); ok != hasNum || got != num {
			t.Errorf("FindUint = %d %v, a Reader finds %d %v", got, ok, num, hasNum)
		}
	})
}
