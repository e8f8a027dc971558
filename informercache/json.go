package informercache

import (
	"bytes"
	"encoding/json"
	"errors"
)

// The functions here walk JSON without decoding it. They are given documents
// that json.Valid has passed; on others they give wrong answers or
// errors, but never panic.

var errJSON = errors.New("malformed JSON")

// maxDepth is how deep values may nest before the walk refuses them.
const maxDepth = 10000

// jsonSpan is the place of a member or an element in the document.
type jsonSpan struct {
	key        []byte // a member's name, without quotes
	start      int    // where the member starts: its name, or the element itself
	value, end int    // the value's bytes are [value, end)
}

// jsonMembers walks the members of the object, or the elements of the array, that
// starts at b[i], until f returns false.
func jsonMembers(b []byte, i int, f func(jsonSpan) bool) error {
	i = skipSpace(b, i)
	if i >= len(b) || b[i] != '{' && b[i] != '[' {
		return errJSON
	}
	object := b[i] == '{'
	for i = skipSpace(b, i+1); i < len(b) && b[i] != '}' && b[i] != ']'; {
		s := jsonSpan{start: i}
		if object {
			end := skipString(b, i)
			if end < 0 {
				return errJSON
			}
			s.key = unquoted(b[i:end])
			if i = skipSpace(b, end); i >= len(b) || b[i] != ':' {
				return errJSON
			}
			i = skipSpace(b, i+1)
		}
		s.value = i
		s.end = skipValue(b, i)
		if s.end < 0 {
			return errJSON
		}
		if !f(s) {
			return nil
		}
		if i = skipSpace(b, s.end); i < len(b) && b[i] == ',' {
			i = skipSpace(b, i+1)
		}
	}
	if i >= len(b) {
		return errJSON
	}
	return nil
}

// jsonMember finds a member of the object b, nil if there is none.
func jsonMember(b []byte, key string) []byte {
	var value []byte
	err := jsonMembers(b, 0, func(s jsonSpan) bool {
		if string(s.key) == key {
			value = b[s.value:s.end:s.end]
		}
		return value == nil
	})
	if err != nil {
		return nil
	}
	return value
}

// jsonString is the member as a string, "" if it is none.
func jsonString(b []byte, key string) string {
	v := jsonMember(b, key)
	if len(v) == 0 || v[0] != '"' {
		return ""
	}
	return string(unquoted(v))
}

// unquoted is the content of a JSON string: a view where nothing is escaped.
func unquoted(b []byte) []byte {
	if len(b) < 2 {
		return nil
	}
	if bytes.IndexByte(b, '\\') < 0 {
		return b[1 : len(b)-1]
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return nil
	}
	return []byte(s)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skipString returns the end of the string that starts at b[i], -1 if there is
// none.
func skipString(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// skipValue returns the end of the value that starts at b[i], -1 if there is
// none.
func skipValue(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := skipString(b, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		case '{', '[':
			if depth++; depth > maxDepth {
				return -1
			}
			continue
		case '}', ']':
			depth--
		case ',', ':', ' ', '\n', '\r', '\t':
			continue
		default:
			i = skipLiteral(b, i) - 1
		}
		if depth < 0 {
			return -1
		}
		if depth == 0 {
			return i + 1
		}
	}
	return -1
}

// skipLiteral returns the end of the number or word that starts at b[i].
func skipLiteral(b []byte, i int) int {
	n := bytes.IndexAny(b[i+1:], ",:{}[]\" \n\r\t")
	if n < 0 {
		return len(b)
	}
	return i + 1 + n
}
