package view

import "github.com/loopdock/loopdock/abi/wire"

// Bytes is the length-delimited field with that number: a view, nil if absent.
func Bytes(b []byte, field int) []byte {
	v, _ := wire.Find(b, field)
	return v
}

// String is the string field with that number, copied; empty if absent.
func String(b []byte, field int) string { return string(Bytes(b, field)) }

// Int is the int32 or int64 field with that number, zero if absent.
func Int(b []byte, field int) int64 {
	v, _ := wire.FindUint(b, field)
	return int64(v) //nolint:gosec // two's complement is protobuf's encoding of negatives
}

// Bool is the bool field with that number, false if absent.
func Bool(b []byte, field int) bool { return Int(b, field) != 0 }

// Has reports whether there is a field with that number.
func Has(b []byte, field int) bool {
	for r := wire.NewReader(b); r.Next(); {
		if r.Field() == field {
			return true
		}
	}
	return false
}
