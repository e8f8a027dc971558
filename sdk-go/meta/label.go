package meta

import "strings"

// The greatest lengths of the parts of a label.
const (
	maxLabelName   = 63
	maxLabelPrefix = 253
)

// isLabelKey reports whether s is a name, or a DNS subdomain, a slash and a name.
func isLabelKey(s string) bool {
	prefix, name, prefixed := strings.Cut(s, "/")
	if !prefixed {
		return s != "" && isLabelValue(s)
	}
	return isSubdomain(prefix) && name != "" && isLabelValue(name)
}

// isLabelValue reports whether s is empty, or 63 characters at most: letters,
// digits, and between them also dashes, underscores and dots.
func isLabelValue(s string) bool {
	if len(s) > maxLabelName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !isLower(c) && (c < 'A' || c > 'Z') && (i == 0 || i == len(s)-1 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return true
}

// isSubdomain reports whether s is a DNS subdomain in lower case.
func isSubdomain(s string) bool {
	if s == "" || len(s) > maxLabelPrefix {
		return false
	}
	for part := range strings.SplitSeq(s, ".") {
		if part == "" {
			return false
		}
		for i := range len(part) {
			if c := part[i]; !isLower(c) && (c != '-' || i == 0 || i == len(part)-1) {
				return false
			}
		}
	}
	return true
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
