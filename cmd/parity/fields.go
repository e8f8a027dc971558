package main

import (
	"fmt"
	"strconv"
	"strings"
)

// unmet tells which of some conditions on an object's fields does not hold, and
// is empty if all do. Conditions are parted by spaces: PATH=VALUE or PATH!=VALUE;
// a step into a list is [KEY], which picks by type, name or key, or a number. For
// a dot within a step there is ~.
func unmet(o map[string]any, conditions string) string {
	for c := range strings.FieldsSeq(conditions) {
		path, want, _ := strings.Cut(c, "=")
		path, negated := strings.CutSuffix(path, "!")
		got := field(o, path)
		if (got == want) == negated {
			return fmt.Sprintf("%s is %q, not %s", path, got, strings.TrimPrefix(c, path))
		}
	}
	return ""
}

// field reads a scalar as text; a list or a map gives its length. A path that
// ends in [#] or leads nowhere gives "".
func field(o any, path string) string {
	for step := range strings.SplitSeq(strings.ReplaceAll(path, "[", ".["), ".") {
		switch v := o.(type) {
		case map[string]any:
			o = v[strings.ReplaceAll(step, "~", ".")]
		case []any:
			o = element(v, strings.Trim(step, "[]"))
		default:
			return ""
		}
	}
	switch v := o.(type) {
	case nil:
		return ""
	case map[string]any:
		return strconv.Itoa(len(v))
	case []any:
		return strconv.Itoa(len(v))
	default:
		return fmt.Sprint(v)
	}
}

func element(list []any, key string) any {
	key = strings.ReplaceAll(key, "~", ".")
	if i, err := strconv.Atoi(key); err == nil {
		if i < len(list) {
			return list[i]
		}
		return nil
	}
	for _, item := range list {
		if m, ok := item.(map[string]any); ok && (m["type"] == key || m["name"] == key || m["key"] == key) {
			return item
		}
	}
	return nil
}
