package sandbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopdock/loopdock/abi"
)

// offered are the optional features that this host has.
var offered = []string{abi.FeatureWildcard}

// checkManifest finds all that is wrong with a manifest, as far as it can be
// told without a cluster.
func checkManifest(m *abi.Manifest) error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if !dnsLabel(m.Name) {
		fault("the module's name %q is not a DNS label", m.Name)
	}
	for _, f := range m.Features {
		if !slices.Contains(offered, f) {
			fault("it counts on the feature %q, which this host does not offer", f)
		}
	}
	if len(m.Controllers) == 0 {
		fault("it names no controller")
	}
	seen := map[string]bool{}
	for i := range m.Controllers {
		c := &m.Controllers[i]
		if seen[c.Name] {
			fault("two controllers are named %q", c.Name)
		}
		seen[c.Name] = true
		for _, err := range checkController(c, slices.Contains(m.Features, abi.FeatureWildcard)) {
			fault("controller %q: %w", c.Name, err)
		}
	}
	return errors.Join(faults...)
}

// checkController checks one controller of a module that counts on wildcards or
// does not.
func checkController(c *abi.Controller, wild bool) []error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if !dnsLabel(c.Name) {
		fault("the name is not a DNS label")
	}
	sources := 0
	if c.Primary != nil {
		sources++
		if problem := kindProblem(c.Primary.Kind); problem != "" {
			fault("its primary kind %s", problem)
		}
	}
	if c.Virtual != nil {
		sources++
		faults = append(faults, checkVirtual(c.Virtual)...)
	}
	if c.Wildcard != nil {
		sources++
		faults = append(faults, checkWildcard(c.Wildcard, wild)...)
	}
	if sources != 1 {
		fault("it has %d sources of keys and needs exactly one of primary, virtual and wildcard", sources)
	}
	for i := range c.Reads {
		faults = append(faults, checkRead(&c.Reads[i], wild)...)
	}
	for i := range c.Access {
		k := c.Access[i].Kind
		every := wild && k != nil && k.Kind == "*" && k.APIVersion != ""
		if problem := kindProblem(k); problem != "" && !every {
			fault("the kind of access %d %s", i+1, problem)
		}
		if len(c.Access[i].Verbs) == 0 {
			fault("access %d names no verbs", i+1)
		}
	}
	for i := range c.Metrics {
		if c.Metrics[i].Name == "" {
			fault("metric %d has no name", i+1)
		}
	}
	return faults
}

func checkVirtual(v *abi.VirtualKeys) []error {
	var faults []error
	if len(v.Mappings) == 0 && !v.Singleton {
		faults = append(faults, errors.New("its virtual keys have neither a mapping nor the singleton"))
	}
	for i := range v.Mappings {
		m := &v.Mappings[i]
		if problem := kindProblem(m.Kind); problem != "" {
			faults = append(faults, fmt.Errorf("the kind of mapping %d %s", i+1, problem))
		}
		if m.Rule == abi.KeyRuleUnspecified || m.Rule > abi.KeyRuleObject {
			faults = append(faults, fmt.Errorf("mapping %d has no rule that is known here", i+1))
		}
		if m.Rule == abi.KeyRuleField && m.Field == nil {
			faults = append(faults, fmt.Errorf("mapping %d names no field", i+1))
		}
	}
	return faults
}

func checkWildcard(w *abi.WildcardKeys, wild bool) []error {
	var faults []error
	if !wild {
		faults = append(faults, fmt.Errorf("it has wildcard keys, a feature (%q) which the module does not name", abi.FeatureWildcard))
	}
	if len(w.Filters) == 0 {
		faults = append(faults, errors.New("its wildcard keys have no filter"))
	}
	for i := range w.Filters {
		if f := &w.Filters[i]; !f.HasOwners && !f.Terminating && f.Finalizer == "" {
			faults = append(faults, fmt.Errorf("filter %d of its wildcard keys is empty", i+1))
		}
	}
	return faults
}

func checkRead(r *abi.KindRead, wild bool) []error {
	var faults []error
	if k := r.Kind; wild && k != nil && k.Kind == "*" && k.APIVersion == "*" {
		if !r.MetadataOnly || len(r.Namespaces)+len(r.Indexes)+len(r.Observed) > 0 || r.Selector != "" {
			faults = append(faults, errors.New("of every kind it can read nothing but metadata, without namespaces, selector, indexes and observed fields"))
		}
		return faults
	}
	if problem := kindProblem(r.Kind); problem != "" {
		return []error{fmt.Errorf("a kind that it reads %s", problem)}
	}
	seen := map[string]bool{}
	for i := range r.Indexes {
		x := &r.Indexes[i]
		if x.Name == "" || x.Path == nil || seen[x.Name] {
			faults = append(faults, fmt.Errorf("index %q of %s needs a name of its own and a path", x.Name, r.Kind.Kind))
		}
		seen[x.Name] = true
	}
	return faults
}

// kindProblem says what is wrong with a kind, in words that follow its name.
func kindProblem(k *abi.Kind) string {
	switch {
	case k == nil || k.Kind == "" || k.APIVersion == "":
		return "is not named (it needs an apiVersion and a kind)"
	case k.Kind == "*" || k.APIVersion == "*":
		return fmt.Sprintf("is a wildcard, which stands only for all kinds that are read or accessed, with the feature %q", abi.FeatureWildcard)
	case strings.Count(k.APIVersion, "/") > 1:
		return fmt.Sprintf("has the apiVersion %q, which is neither VERSION nor GROUP/VERSION", k.APIVersion)
	default:
		return ""
	}
}

// dnsLabel reports whether s is lower-case letters, digits and inner hyphens, at
// most 63.
func dnsLabel(s string) bool {
	if s == "" || len(s) > 63 || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}
