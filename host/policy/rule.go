package policy

import (
	"slices"
	"strings"

	"github.com/loopdock/loopdock/abi"
)

// Any stands for every group, kind, subresource or verb.
const Any = "*"

// Rule lets a controller do something to the objects of a kind.
type Rule struct {
	// APIVersion is as in manifests ("v1", "apps/v1"); its version is not looked
	// at. Any means every group.
	APIVersion string `json:"apiVersion"`
	// Kind may be Any.
	Kind string `json:"kind"`
	// Subresource is empty for the object itself. Any means the object and all
	// of its subresources.
	Subresource string `json:"subresource,omitempty"`
	// Verbs are the API's: get, list, watch, create, update, patch, delete,
	// deletecollection, or Any.
	Verbs []string `json:"verbs"`
	// Namespaces limits the rule. Empty means everywhere.
	Namespaces []string `json:"namespaces,omitempty"`
}

// String is the rule as a line of YAML.
func (r Rule) String() string {
	b := "- {apiVersion: " + scalar(r.APIVersion) + ", kind: " + scalar(r.Kind)
	if r.Subresource != "" {
		b += ", subresource: " + scalar(r.Subresource)
	}
	b += ", verbs: " + list(r.Verbs)
	if len(r.Namespaces) > 0 {
		b += ", namespaces: " + list(r.Namespaces)
	}
	return b + "}"
}

// covers reports whether the rule allows verb on the kind in a namespace; the
// empty namespace is everything outside of a single namespace.
func (r Rule) covers(verb string, kind abi.Kind, subresource, namespace string) bool {
	return covers(group(r.APIVersion), group(kind.APIVersion)) &&
		covers(r.Kind, kind.Kind) &&
		covers(r.Subresource, subresource) &&
		(slices.Contains(r.Verbs, verb) || slices.Contains(r.Verbs, Any)) &&
		inScope(r.Namespaces, namespace)
}

// meet is what both rules allow, and whether that is anything.
func (r Rule) meet(o Rule) (Rule, bool) {
	var out Rule
	ok := true
	both := func(a, b string) string {
		switch {
		case a == b || b == Any:
			return a
		case a == Any:
			return b
		}
		ok = false
		return ""
	}
	if both(group(r.APIVersion), group(o.APIVersion)); r.APIVersion == Any {
		out.APIVersion = o.APIVersion
	} else {
		out.APIVersion = r.APIVersion
	}
	out.Kind = both(r.Kind, o.Kind)
	out.Subresource = both(r.Subresource, o.Subresource)
	out.Verbs = meetLists(r.Verbs, o.Verbs, slices.Contains(r.Verbs, Any), slices.Contains(o.Verbs, Any))
	out.Namespaces = meetLists(r.Namespaces, o.Namespaces, len(r.Namespaces) == 0, len(o.Namespaces) == 0)
	everywhere := len(r.Namespaces) == 0 && len(o.Namespaces) == 0
	return out, ok && len(out.Verbs) > 0 && (everywhere || len(out.Namespaces) > 0)
}

// meetLists is what is in both lists, where either may stand for everything.
func meetLists(a, b []string, allA, allB bool) []string {
	switch {
	case allA:
		return b
	case allB:
		return a
	}
	var out []string
	for _, s := range a {
		if slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}

func covers(pattern, s string) bool { return pattern == s || pattern == Any }

func inScope(namespaces []string, namespace string) bool {
	return len(namespaces) == 0 || namespace != "" && slices.Contains(namespaces, namespace)
}

// group is the group of an API version; Any stays itself.
func group(apiVersion string) string {
	if apiVersion == Any {
		return Any
	}
	g, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return g
}

// list is names as a YAML flow sequence.
func list(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = scalar(n)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// scalar quotes what YAML would not take for a plain string.
func scalar(s string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("./-", c)
	}
	words := []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
	if s != "" && s[0] > '9' && !slices.Contains(words, strings.ToLower(s)) && !strings.ContainsFunc(s, func(c rune) bool { return !plain(c) }) {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
