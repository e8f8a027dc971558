package sandbox

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/abi"
)

func pod() *abi.Kind { return &abi.Kind{APIVersion: "v1", Kind: "Pod"} }

// TestManifest changes a good manifest in one thing, and shows the words for it.
func TestManifest(t *testing.T) {
	type change func(m *abi.Manifest, c *abi.Controller)
	cases := map[string]struct {
		reason string
		change change
		want   string
	}{
		"good":            {"nothing is wrong", func(*abi.Manifest, *abi.Controller) {}, ""},
		"module name":     {"names become metrics", func(m *abi.Manifest, _ *abi.Controller) { m.Name = "A_b" }, `the module's name "A_b" is not a DNS label`},
		"feature":         {"it is named", func(m *abi.Manifest, _ *abi.Controller) { m.Features = []string{"x"} }, `it counts on the feature "x", which this host does not offer`},
		"no controller":   {"there is nothing to run", func(m *abi.Manifest, _ *abi.Controller) { m.Controllers = nil }, "it names no controller"},
		"same name":       {"a name stands for one", func(m *abi.Manifest, c *abi.Controller) { m.Controllers = append(m.Controllers, *c) }, `two controllers are named "c"`},
		"controller name": {"leases are named after it", func(_ *abi.Manifest, c *abi.Controller) { c.Name = "-c" }, `controller "-c": the name is not a DNS label`},
		"no source":       {"keys come from somewhere", func(_ *abi.Manifest, c *abi.Controller) { c.Primary = nil }, `controller "c": it has 0 sources of keys and needs exactly one of primary, virtual and wildcard`},
		"two sources":     {"and from one place", func(_ *abi.Manifest, c *abi.Controller) { c.Virtual = &abi.VirtualKeys{Singleton: true} }, `controller "c": it has 2 sources of keys and needs exactly one of primary, virtual and wildcard`},
		"no kind":         {"primary keys need a kind", func(_ *abi.Manifest, c *abi.Controller) { c.Primary.Kind = nil }, `controller "c": its primary kind is not named (it needs an apiVersion and a kind)`},
		"half a kind":     {"kinds have versions", func(_ *abi.Manifest, c *abi.Controller) { c.Primary.Kind.APIVersion = "" }, `controller "c": its primary kind is not named (it needs an apiVersion and a kind)`},
		"any kind":        {"a wildcard is a feature", func(_ *abi.Manifest, c *abi.Controller) { c.Primary.Kind.Kind = "*" }, `controller "c": its primary kind is a wildcard, which stands only for all kinds that are read or accessed, with the feature "wildcard-keys"`},
		"odd version":     {"not an API version", func(_ *abi.Manifest, c *abi.Controller) { c.Primary.Kind.APIVersion = "a/b/c" }, `controller "c": its primary kind has the apiVersion "a/b/c", which is neither VERSION nor GROUP/VERSION`},
		"wildcard":        {"keys of every kind", func(m *abi.Manifest, c *abi.Controller) { wildcard(m, c) }, ""},
		"wildcard without the feature": {
			"older hosts must know", func(m *abi.Manifest, c *abi.Controller) { wildcard(m, c); m.Features = nil },
			`controller "c": it has wildcard keys, a feature ("wildcard-keys") which the module does not name; controller "c": a kind that it reads is a wildcard, which stands only for all kinds that are read or accessed, with the feature "wildcard-keys"; controller "c": the kind of access 1 is a wildcard, which stands only for all kinds that are read or accessed, with the feature "wildcard-keys"`,
		},
		"wildcard without a filter": {
			"every object of a cluster is not meant", func(m *abi.Manifest, c *abi.Controller) { wildcard(m, c).Filters = nil },
			`controller "c": its wildcard keys have no filter`,
		},
		"wildcard with an empty filter": {
			"nor here", func(m *abi.Manifest, c *abi.Controller) { wildcard(m, c).Filters = []abi.WildcardFilter{{}} },
			`controller "c": filter 1 of its wildcard keys is empty`,
		},
		"wildcard with bodies": {
			"nobody keeps every object whole", func(m *abi.Manifest, c *abi.Controller) { wildcard(m, c); c.Reads[0].MetadataOnly = false },
			`controller "c": of every kind it can read nothing but metadata, without namespaces, selector, indexes and observed fields`,
		},
		"virtual": {"keys from mappings", func(_ *abi.Manifest, c *abi.Controller) {
			c.Primary, c.Virtual = nil, &abi.VirtualKeys{Mappings: []abi.KeyMapping{{Kind: pod(), Rule: abi.KeyRuleNamespace}}}
		}, ""},
		"virtual of nothing": {
			"no key would ever come", func(_ *abi.Manifest, c *abi.Controller) { c.Primary, c.Virtual = nil, &abi.VirtualKeys{} },
			`controller "c": its virtual keys have neither a mapping nor the singleton`,
		},
		"mapping without a rule": {"an older guest, or a newer rule", func(_ *abi.Manifest, c *abi.Controller) {
			c.Primary, c.Virtual = nil, &abi.VirtualKeys{Mappings: []abi.KeyMapping{{Kind: pod()}}}
		}, `controller "c": mapping 1 has no rule that is known here`},
		"mapping without a field": {"the rule needs one", func(_ *abi.Manifest, c *abi.Controller) {
			c.Primary, c.Virtual = nil, &abi.VirtualKeys{Mappings: []abi.KeyMapping{{Kind: pod(), Rule: abi.KeyRuleField}}}
		}, `controller "c": mapping 1 names no field`},
		"mapping without a kind": {"of what, else?", func(_ *abi.Manifest, c *abi.Controller) {
			c.Primary, c.Virtual = nil, &abi.VirtualKeys{Mappings: []abi.KeyMapping{{Rule: abi.KeyRuleObject}}}
		}, `controller "c": the kind of mapping 1 is not named (it needs an apiVersion and a kind)`},
		"read without a kind": {
			"of what, else?", func(_ *abi.Manifest, c *abi.Controller) { c.Reads = []abi.KindRead{{}} },
			`controller "c": a kind that it reads is not named (it needs an apiVersion and a kind)`,
		},
		"index without a path": {"of what, else?", func(_ *abi.Manifest, c *abi.Controller) {
			c.Reads = []abi.KindRead{{Kind: pod(), Indexes: []abi.Index{{Name: "node"}}}}
		}, `controller "c": index "node" of Pod needs a name of its own and a path`},
		"index twice": {"queries name it", func(_ *abi.Manifest, c *abi.Controller) {
			x := abi.Index{Name: "node", Path: &abi.FieldPath{Name: "spec.nodeName"}}
			c.Reads = []abi.KindRead{{Kind: pod(), Indexes: []abi.Index{x, x}}}
		}, `controller "c": index "node" of Pod needs a name of its own and a path`},
		"access without verbs": {"it would grant nothing", func(_ *abi.Manifest, c *abi.Controller) { c.Access = []abi.Access{{Kind: pod()}} }, `controller "c": access 1 names no verbs`},
		"access without a kind": {
			"to what, else?", func(_ *abi.Manifest, c *abi.Controller) { c.Access = []abi.Access{{Verbs: []string{"get"}}} },
			`controller "c": the kind of access 1 is not named (it needs an apiVersion and a kind)`,
		},
		"metric without a name": {"nobody could find it", func(_ *abi.Manifest, c *abi.Controller) { c.Metrics = []abi.Metric{{}} }, `controller "c": metric 1 has no name`},
		"all at once": {
			"an author sees all faults in one go", func(m *abi.Manifest, c *abi.Controller) { m.Name, c.Primary = "", nil },
			`the module's name "" is not a DNS label; controller "c": it has 0 sources of keys and needs exactly one of primary, virtual and wildcard`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			m := &abi.Manifest{Name: "m", Controllers: []abi.Controller{{Name: "c", Primary: &abi.PrimaryKeys{Kind: pod()}}}}
			tc.change(m, &m.Controllers[0])
			if diff := cmp.Diff(tc.want, oneLine(text(checkManifest(m)))); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDNSLabel(t *testing.T) {
	cases := map[string]bool{
		"a": true, "a-b": true, "9a": true, "0": true, strings.Repeat("a", 63): true,
		"": false, "-a": false, "a-": false, "A": false, "a.b": false, "a_b": false, "\u00e9": false, strings.Repeat("a", 64): false,
	}
	for s, want := range cases {
		if got := dnsLabel(s); got != want {
			t.Errorf("dnsLabel(%q) is %v", s, got)
		}
	}
}

// wildcard makes a controller one with wildcard keys.
func wildcard(m *abi.Manifest, c *abi.Controller) *abi.WildcardKeys {
	every := &abi.Kind{APIVersion: "*", Kind: "*"}
	m.Features = []string{abi.FeatureWildcard}
	c.Primary, c.Wildcard = nil, &abi.WildcardKeys{Filters: []abi.WildcardFilter{{HasOwners: true}}}
	c.Reads = []abi.KindRead{{Kind: every, MetadataOnly: true}}
	c.Access = []abi.Access{{Kind: every, Verbs: []string{"delete"}}}
	return c.Wildcard
}
