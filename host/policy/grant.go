package policy

import (
	"slices"
	"strings"

	"github.com/loopdock/loopdock/abi"
)

// Grant is what one controller may do. An operator writes its rules and
// externals; Intersect adds what the manifest declares to read.
//
// A Grant is not changed once it is in use, and then safe for any goroutine.
type Grant struct {
	// Controller is whose grant it is.
	Controller string `json:"controller"`
	// Rules are what may be done to objects. In an operator's grant, get, list
	// and watch are what may be read.
	Rules []Rule `json:"rules,omitempty"`
	// Externals are the external providers that may be called.
	Externals []External `json:"externals,omitempty"`
	// Reads are what may be read: the manifest's reads as far as they are granted.
	Reads []Read `json:"-"`
}

// External lets a controller call operations of a provider.
type External struct {
	Provider string `json:"provider"`
	// Operations may be Any.
	Operations []string `json:"operations"`
}

// String is the right as a line of YAML.
func (e External) String() string {
	return "- {provider: " + scalar(e.Provider) + ", operations: " + list(e.Operations) + "}"
}

// Read lets a controller read the objects of a kind.
type Read struct {
	Kind       abi.Kind
	Namespaces []string // empty means everywhere
	// Selector is the declared label selector in kubectl's syntax: what it does
	// not match is not for this controller.
	Selector string
	// MetadataOnly: whatever the query says, only metadata is for this controller.
	MetadataOnly bool
	// Live reads are allowed as well.
	Live bool
}

// Missing is a right that a manifest asks for and a grant lacks. Its String is
// the line of YAML to add to the grant.
type Missing struct {
	// Rule is what is missing, its verbs only those.
	Rule Rule
	// External is set instead of Rule where a provider's operations are missing.
	External *External
}

// String is the line of YAML to add to the grant.
func (m Missing) String() string {
	if m.External != nil {
		return m.External.String()
	}
	return m.Rule.String()
}

// Lines is all that is missing as YAML, a right a line.
func Lines(missing []Missing) string {
	var b strings.Builder
	for _, m := range missing {
		b.WriteString(m.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Intersect gives what a controller may do: what its manifest asks for, as far
// as grant allows. A nil grant allows all of it. The second result lists what
// the manifest asks for and does not get.
func Intersect(manifest *abi.Controller, grant *Grant) (*Grant, []Missing) {
	out := &Grant{Controller: manifest.Name}
	var missing []Missing
	for i := range manifest.Access {
		asked := ruleOf(&manifest.Access[i])
		got, lack := grant.cut(asked)
		out.Rules = append(out.Rules, got...)
		missing = appendMissing(missing, lack)
	}
	for _, read := range declaredReads(manifest) {
		got, lack := grant.cut(read.rule())
		for _, r := range got {
			if len(r.Verbs) == len(readVerbs) || slices.Contains(r.Verbs, Any) {
				cut := read
				cut.Kind = abi.Kind{APIVersion: r.APIVersion, Kind: r.Kind}
				cut.Namespaces = r.Namespaces
				out.Reads = append(out.Reads, cut)
			}
		}
		missing = appendMissing(missing, lack)
	}
	for i := range manifest.Externals {
		asked := External{Provider: manifest.Externals[i].Provider, Operations: manifest.Externals[i].Operations}
		got, lack := grant.cutExternal(asked)
		if len(got.Operations) > 0 {
			out.Externals = append(out.Externals, got)
		}
		if len(lack.Operations) > 0 {
			missing = append(missing, Missing{External: &lack})
		}
	}
	return out, missing
}

// appendMissing adds what is lacking, once.
func appendMissing(missing []Missing, lack Rule) []Missing {
	known := func(m Missing) bool { return m.External == nil && m.Rule.String() == lack.String() }
	if len(lack.Verbs) == 0 || slices.ContainsFunc(missing, known) {
		return missing
	}
	return append(missing, Missing{Rule: lack})
}
