package resource

import (
	"bytes"
	"strconv"
)

// suffixes are the powers of ten that suffixes stand for.
var suffixes = map[string]int{"": 0, "n": -9, "u": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}

// binarySuffixes are the first letters of Ki, Mi and so on: each is 1024 times
// the one before.
const binarySuffixes = "KMGTPE"

// CanonicalText gives one spelling for all texts of the same quantity: digits
// and a power of ten, so that 1Gi, 1024Mi and 1073741824 are the same. What is
// no quantity stays as it is.
func CanonicalText(text []byte) []byte {
	rest, negative := bytes.CutPrefix(text, []byte("-"))
	if !negative {
		rest = bytes.TrimPrefix(rest, []byte("+"))
	}
	digits := make([]byte, 0, len(rest)+len(binarySuffixes)*4)
	exponent, point := 0, false
	for len(rest) > 0 && (rest[0] >= '0' && rest[0] <= '9' || rest[0] == '.' && !point) {
		if rest[0] == '.' {
			point = true
		} else {
			digits = append(digits, rest[0])
			if point {
				exponent--
			}
		}
		rest = rest[1:]
	}
	tens, kibis, ok := scale(string(rest))
	if !ok || len(digits) == 0 {
		return text
	}
	for range kibis {
		digits = times1024(digits)
	}
	exponent += tens
	digits = bytes.TrimLeft(digits, "0")
	whole := len(digits)
	digits = bytes.TrimRight(digits, "0")
	if len(digits) == 0 {
		return []byte("0")
	}
	var out []byte
	if negative {
		out = append(out, '-')
	}
	out = append(append(out, digits...), 'e')
	return strconv.AppendInt(out, int64(exponent+whole-len(digits)), 10)
}

// scale reads a suffix: a power of ten, or how many times 1024.
func scale(suffix string) (tens, kibis int, ok bool) {
	if tens, ok := suffixes[suffix]; ok {
		return tens, 0, true
	}
	if len(suffix) == 2 && suffix[1] == 'i' {
		n := bytes.IndexByte([]byte(binarySuffixes), suffix[0])
		return 0, n + 1, n >= 0
	}
	if suffix[0] != 'e' && suffix[0] != 'E' {
		return 0, 0, false
	}
	n, err := strconv.ParseInt(suffix[1:], 10, 32)
	return int(n), 0, err == nil
}

// times1024 multiplies a number in decimal digits.
func times1024(digits []byte) []byte {
	out := make([]byte, len(digits)+4)
	carry := 0
	for i := len(out) - 1; i >= 0; i-- {
		if at := i - 4; at >= 0 {
			carry += int(digits[at]-'0') * 1024
		}
		out[i] = byte('0' + carry%10)
		carry /= 10
	}
	return out
}
