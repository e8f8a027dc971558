package policy

import (
	"strings"

	"github.com/loopdock/loopdock/abi"
)

// CheckRead returns nil if the query is allowed and a *DeniedError if not.
func (g *Grant) CheckRead(q *abi.Query) error {
	_, err := g.Read(q)
	return err
}

// Read gives the right under which a query is allowed: of several, the one that
// shows most. Its selector and MetadataOnly bind the answer. A query that asks
// for no object (discovery, a memo) has the zero Read.
func (g *Grant) Read(q *abi.Query) (Read, error) {
	if q.Type == abi.QueryTypeDiscovery || q.Type == abi.QueryTypeMemo {
		return Read{}, nil
	}
	kind := deref(q.Kind)
	byResource := q.Kind == nil && q.Resource != ""
	if byResource {
		kind = abi.Kind{APIVersion: q.Group + "/" + Any, Kind: q.Resource}
	}
	namespace := q.Namespace
	if q.AllNamespaces {
		namespace = ""
	}
	denied := &DeniedError{
		Controller: g.controller(), Verb: "get", Kind: kind, Namespace: namespace, Live: q.Live, Read: true,
	}
	if byResource {
		denied.Kind = abi.Kind{Kind: strings.TrimSuffix(q.Resource+"."+q.Group, ".")}
	}
	if q.Type == abi.QueryTypeList {
		denied.Verb = "list"
	}
	var best Read
	found := false
	if g != nil && kind.Kind != "" {
		for _, r := range g.Reads {
			if r.allows(kind, byResource, namespace, q.Live) && (!found || r.showsMoreThan(best)) {
				best, found = r, true
			}
		}
	}
	if !found {
		return Read{}, denied
	}
	return best, nil
}

// allows reports whether the right covers a kind. One that is known by its
// resource only is covered by a right to every kind.
func (r Read) allows(kind abi.Kind, byResource bool, namespace string, live bool) bool {
	named := r.Kind.Kind == Any || !byResource && r.Kind.Kind == kind.Kind
	return named && covers(group(r.Kind.APIVersion), group(kind.APIVersion)) &&
		inScope(r.Namespaces, namespace) && (r.Live || !live)
}

func (r Read) showsMoreThan(o Read) bool {
	if r.MetadataOnly != o.MetadataOnly {
		return !r.MetadataOnly
	}
	return r.Selector == "" && o.Selector != ""
}
