package sdk

import (
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape gives the text of a JSON string, of which b is what stands between
// the quotes.
func unescape(b []byte) string {
	if !slices.Contains(b, '\\') {
		return string(b)
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			continue
		}
		i++
		switch b[i] {
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, n := character(b[i-1:])
			out = utf8.AppendRune(out, r)
			i += n - 2 // the next one begins behind it
		default: // a quote, a slash or a backslash stands for itself
			out = append(out, b[i])
		}
	}
	return string(out)
}

// character reads a character that is written as \u and four digits, or as two
// of these where it is beyond the first plane, and how many bytes those are.
func character(b []byte) (rune, int) {
	const written = len(`\u0000`)
	r, ok := codeUnit(b)
	if !ok {
		return utf8.RuneError, min(len(b), written)
	}
	if !utf16.IsSurrogate(r) {
		return r, written
	}
	second, ok := codeUnit(b[written:])
	if pair := utf16.DecodeRune(r, second); ok && pair != utf8.RuneError {
		return pair, 2 * written
	}
	return utf8.RuneError, written
}

// codeUnit reads \u and four hexadecimal digits.
func codeUnit(b []byte) (rune, bool) {
	const written = len(`\u0000`)
	if len(b) < written || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range b[2:written] {
		r <<= 4
		switch {
		case '0' <= c && c <= '9':
			r |= rune(c - '0')
		case 'a' <= c && c <= 'f':
			r |= rune(c-'a') + 10
		case 'A' <= c && c <= 'F':
			r |= rune(c-'A') + 10
		default:
			return 0, false
		}
	}
	return r, true
}
