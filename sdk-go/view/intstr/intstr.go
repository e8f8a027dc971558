// Package intstr holds the view of values that are an integer or a percentage.
package intstr

import (
	"math"
	"strconv"
	"strings"
)

// The values of an IntOrString's type.
const (
	Int    int64 = 0 // intVal counts
	String int64 = 1 // strVal counts
)

// Error says why an IntOrString has no scaled value. Errors compare with ==.
type Error string

// Error implements error.
func (e Error) Error() string { return string(e) }

// The ways in which an IntOrString can have no scaled value.
const (
	ErrAbsent     Error = "no value for an integer or percentage"
	ErrNotPercent Error = "a string that is not a percentage"
	ErrNumber     Error = "a percentage whose number is malformed"
	ErrType       Error = "neither an integer nor a string"
)

// FromInt32 is an IntOrString that holds an integer.
func FromInt32(v int32) IntOrString {
	return IntOrString(nil).WithType(Int).WithIntVal(v).WithStrVal("")
}

// FromString is an IntOrString that holds a string.
func FromString(v string) IntOrString {
	return IntOrString(nil).WithType(String).WithIntVal(0).WithStrVal(v)
}

// Parse holds v as an integer if it is one that fits 32 bits, else as a string.
func Parse(v string) IntOrString {
	if i, err := strconv.ParseInt(v, 10, 32); err == nil {
		return FromInt32(int32(i))
	}
	return FromString(v)
}

// String is the string that m holds, or its integer in decimal.
func (m IntOrString) String() string {
	if m.Type() == String {
		return m.StrVal()
	}
	return strconv.Itoa(m.IntValue())
}

// IntValue is the integer that m holds or that its string spells; zero if it
// spells none.
func (m IntOrString) IntValue() int {
	if m.Type() == String {
		i, _ := strconv.Atoi(m.StrVal())
		return i
	}
	return int(m.IntVal())
}

// Scaled is the integer that m holds, or its percentage of total, rounded up
// or down. The nil view, which an absent field reads as, is an error; the
// empty view is the integer zero.
func (m IntOrString) Scaled(total int, roundUp bool) (int, error) {
	if m == nil {
		return 0, ErrAbsent
	}
	switch m.Type() {
	case Int:
		return int(m.IntVal()), nil
	case String:
		digits, ok := strings.CutSuffix(m.StrVal(), "%")
		if !ok {
			return 0, ErrNotPercent
		}
		percent, err := strconv.Atoi(digits)
		if err != nil {
			return 0, ErrNumber
		}
		exact := float64(percent) * float64(total) / 100
		if roundUp {
			return int(math.Ceil(exact)), nil
		}
		return int(math.Floor(exact)), nil
	}
	return 0, ErrType
}
