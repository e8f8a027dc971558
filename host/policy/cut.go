package policy

import (
	"slices"

	"github.com/loopdock/loopdock/abi"
)

// readVerbs is what filling a cache takes.
var readVerbs = []string{"get", "list", "watch"}

// cut gives the parts of asked that the grant allows, and the verbs of asked
// that it does not allow in full. A nil grant allows all.
func (g *Grant) cut(asked Rule) (got []Rule, lack Rule) {
	lack = asked
	lack.Verbs = nil
	if g == nil {
		return []Rule{asked}, lack
	}
	for _, r := range g.Rules {
		if both, ok := asked.meet(r); ok {
			got = append(got, both)
		}
	}
	for _, v := range asked.Verbs {
		if !g.allows(v, asked) {
			lack.Verbs = append(lack.Verbs, v)
		}
	}
	return got, lack
}

// allows reports whether some rule allows verb in each namespace that asked names.
func (g *Grant) allows(verb string, asked Rule) bool {
	kind := abi.Kind{APIVersion: asked.APIVersion, Kind: asked.Kind}
	namespaces := asked.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	return !slices.ContainsFunc(namespaces, func(ns string) bool {
		return !slices.ContainsFunc(g.Rules, func(r Rule) bool { return r.covers(verb, kind, asked.Subresource, ns) })
	})
}

func (g *Grant) cutExternal(asked External) (got, lack External) {
	got.Provider, lack.Provider = asked.Provider, asked.Provider
	for _, op := range asked.Operations {
		if g == nil || g.allowsExternal(asked.Provider, op) {
			got.Operations = append(got.Operations, op)
		} else {
			lack.Operations = append(lack.Operations, op)
		}
	}
	return got, lack
}

func (g *Grant) allowsExternal(provider, operation string) bool {
	return slices.ContainsFunc(g.Externals, func(e External) bool {
		return e.Provider == provider && (slices.Contains(e.Operations, operation) || slices.Contains(e.Operations, Any))
	})
}

func ruleOf(a *abi.Access) Rule {
	kind := deref(a.Kind)
	return Rule{
		APIVersion: kind.APIVersion, Kind: kind.Kind, Subresource: a.Subresource,
		Verbs: a.Verbs, Namespaces: a.Namespaces,
	}
}

func (r Read) rule() Rule {
	return Rule{APIVersion: r.Kind.APIVersion, Kind: r.Kind.Kind, Verbs: readVerbs, Namespaces: r.Namespaces}
}

// declaredReads is everything that a manifest says it reads, its keys' kinds
// included.
func declaredReads(m *abi.Controller) []Read {
	var out []Read
	if p := m.Primary; p != nil {
		out = append(out, Read{Kind: deref(p.Kind), Namespaces: p.Namespaces, Selector: p.Selector})
	}
	if v := m.Virtual; v != nil {
		for i := range v.Mappings {
			out = append(out, Read{Kind: deref(v.Mappings[i].Kind)})
		}
	}
	if m.Wildcard != nil {
		out = append(out, Read{Kind: abi.Kind{APIVersion: Any, Kind: Any}, MetadataOnly: true})
	}
	for i := range m.Reads {
		r := &m.Reads[i]
		kind := deref(r.Kind)
		out = append(out, Read{
			Kind: kind, Namespaces: r.Namespaces, Selector: r.Selector,
			MetadataOnly: r.MetadataOnly || kind.Kind == Any, Live: r.Live,
		})
	}
	return out
}

func deref(k *abi.Kind) abi.Kind {
	if k == nil {
		return abi.Kind{}
	}
	return *k
}
