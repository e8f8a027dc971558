package sdk

import "strconv"

// Setting gives a member of the operator's configuration, a JSON object: a
// string as the text that it stands for, numbers and literals as they are
// written. It reports false where there is no such member, or where its value is
// null, an object or an array: for those, use the package json.
func (r *Reconcile) Setting(name string) (string, bool) {
	s := scanner{b: r.req.Config}
	if !s.take('{') {
		return "", false
	}
	for {
		key, ok := s.text()
		if !ok || !s.take(':') {
			return "", false
		}
		value, plain, ok := s.value()
		if !ok {
			return "", false
		}
		if key == name && plain {
			return value, true
		}
		if key == name {
			return "", false
		}
		if !s.take(',') {
			return "", false
		}
	}
}

// SettingBool gives a boolean member of the configuration, or otherwise.
func (r *Reconcile) SettingBool(name string, otherwise bool) bool {
	switch v, _ := r.Setting(name); v {
	case "true":
		return true
	case "false":
		return false
	default:
		return otherwise
	}
}

// SettingInt gives a whole number of the configuration, or otherwise.
func (r *Reconcile) SettingInt(name string, otherwise int) int {
	v, _ := r.Setting(name)
	n, err := strconv.Atoi(v)
	if err != nil {
		return otherwise
	}
	return n
}

// scanner reads JSON that the host has checked already; it need not refuse all
// that is wrong, only never run past the end.
type scanner struct {
	b []byte
	i int
}

func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\n' || s.b[s.i] == '\t' || s.b[s.i] == '\r') {
		s.i++
	}
}

// take skips one punctuation mark, if it comes next.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.i >= len(s.b) || s.b[s.i] != c {
		return false
	}
	s.i++
	return true
}

// text reads a string.
func (s *scanner) text() (string, bool) {
	b, ok := s.quoted()
	return unescape(b), ok
}

// quoted reads a string and gives what stands between its quotes.
func (s *scanner) quoted() ([]byte, bool) {
	if !s.take('"') {
		return nil, false
	}
	for start := s.i; s.i < len(s.b); s.i++ {
		switch s.b[s.i] {
		case '\\':
			s.i++
		case '"':
			s.i++
			return s.b[start : s.i-1], true
		}
	}
	return nil, false
}

// value reads any value; plain says that it can be given to the author.
func (s *scanner) value() (v string, plain, ok bool) {
	s.space()
	if s.i >= len(s.b) {
		return "", false, false
	}
	switch s.b[s.i] {
	case '"':
		v, ok = s.text()
		return v, ok, ok
	case '{', '[':
		return "", false, s.nested()
	}
	start := s.i
	for s.i < len(s.b) && s.b[s.i] != ',' && s.b[s.i] != '}' && s.b[s.i] > ' ' {
		s.i++
	}
	v = string(s.b[start:s.i])
	return v, v != "" && v != "null", v != ""
}

// nested skips an object or an array.
func (s *scanner) nested() bool {
	depth := 0
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case '"':
			if _, ok := s.quoted(); !ok {
				return false
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		s.i++
		if depth == 0 {
			return true
		}
	}
	return false
}
