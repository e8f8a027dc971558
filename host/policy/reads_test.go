package policy_test

import (
	"testing"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/policy"
)

func TestCheckRead(t *testing.T) {
	grant, _ := policy.Intersect(&abi.Controller{
		Name:    "web",
		Primary: &abi.PrimaryKeys{Kind: deployment},
		Reads: []abi.KindRead{
			{Kind: pod, Namespaces: []string{"a"}, Live: true},
			{Kind: &abi.Kind{APIVersion: "v1", Kind: "Secret"}, MetadataOnly: true},
		},
	}, nil)
	cases := map[string]struct {
		reason string
		query  abi.Query
		want   string
		hint   string
	}{
		"primary": {"the keys' kind is read", abi.Query{Type: abi.QueryTypeList, Kind: deployment, AllNamespaces: true}, "", ""},
		"primary live": {
			"live must be declared, of the primary kind too",
			abi.Query{Type: abi.QueryTypeGet, Kind: deployment, Namespace: "a", Live: true},
			"cannot get apps/v1 Deployment live in namespace a: not granted to controller web",
			"- {apiVersion: apps/v1, kind: Deployment, live: true}",
		},
		"declared": {"in its namespace", abi.Query{Type: abi.QueryTypeGet, Kind: pod, Namespace: "a"}, "", ""},
		"live":     {"declared as live", abi.Query{Type: abi.QueryTypeGet, Kind: pod, Namespace: "a", Live: true}, "", ""},
		"other namespace": {
			"a declared namespace is all there is",
			abi.Query{Type: abi.QueryTypeGet, Kind: pod, Namespace: "b"},
			"cannot get v1 Pod in namespace b: not granted to controller web",
			"- {apiVersion: v1, kind: Pod, verbs: [get, list, watch], namespaces: [b]}",
		},
		"all namespaces": {
			"all is more than one, also where a namespace is named beside",
			abi.Query{Type: abi.QueryTypeList, Kind: pod, Namespace: "a", AllNamespaces: true},
			"cannot list v1 Pod: not granted to controller web",
			"- {apiVersion: v1, kind: Pod, verbs: [get, list, watch]}",
		},
		"undeclared": {
			"what the manifest does not name is not read",
			abi.Query{Type: abi.QueryTypeOwner, Kind: &abi.Kind{APIVersion: "v1", Kind: "Node"}},
			"cannot get v1 Node: not granted to controller web",
			"- {apiVersion: v1, kind: Node, verbs: [get, list, watch]}",
		},
		"by resource": {
			"a resource's name is for wildcards, which are declared",
			abi.Query{Type: abi.QueryTypeGet, Group: "apps", Resource: "deployments", Namespace: "a"},
			"cannot get deployments.apps in namespace a: not granted to controller web",
			`- {apiVersion: "*", kind: "*", verbs: [get, list, watch], namespaces: [a]}`,
		},
		"discovery": {"asks for no object", abi.Query{Type: abi.QueryTypeDiscovery}, "", ""},
		"memo":      {"the controller's own", abi.Query{Type: abi.QueryTypeMemo, Name: "x"}, "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			check(t, tc.reason, grant.CheckRead(&tc.query), tc.want, tc.hint)
		})
	}
}

func TestReadOfWildcard(t *testing.T) {
	grant, _ := policy.Intersect(&abi.Controller{
		Name:     "gc",
		Wildcard: &abi.WildcardKeys{},
		Reads: []abi.KindRead{
			{Kind: &abi.Kind{APIVersion: "*", Kind: "*"}, Live: true},
			{Kind: pod, Selector: "app"},
		},
	}, nil)
	read, err := grant.Read(&abi.Query{Type: abi.QueryTypeGet, Group: "apps", Resource: "deployments", Live: true})
	if err != nil || !read.MetadataOnly {
		t.Errorf("a wildcard's live read = %+v, %v; want metadata only", read, err)
	}
	every := &abi.Query{Type: abi.QueryTypeList, Kind: &abi.Kind{APIVersion: "*", Kind: "*"}, AllNamespaces: true}
	if read, err = grant.Read(every); err != nil || !read.MetadataOnly {
		t.Errorf("a read of every kind = %+v, %v; want metadata only", read, err)
	}
	narrow, missing := policy.Intersect(&abi.Controller{Name: "gc", Reads: []abi.KindRead{{Kind: every.Kind}}}, &policy.Grant{
		Rules: []policy.Rule{{APIVersion: "apps/v1", Kind: "*", Verbs: []string{"get", "list", "watch"}}},
	})
	if _, err := narrow.Read(every); err == nil || len(missing) != 1 {
		t.Errorf("a group's kinds are not every kind: %v, missing %v", err, missing)
	}
	if _, err := narrow.Read(&abi.Query{Type: abi.QueryTypeList, Group: "apps", Resource: "deployments", AllNamespaces: true}); err != nil {
		t.Errorf("but its own: %v", err)
	}
	read, err = grant.Read(&abi.Query{Type: abi.QueryTypeList, Kind: pod, AllNamespaces: true})
	if err != nil || read.MetadataOnly || read.Selector != "app" {
		t.Errorf("of two rights the one that shows most counts, got %+v, %v", read, err)
	}
	read, err = grant.Read(&abi.Query{Type: abi.QueryTypeList, Kind: pod, Live: true})
	if err != nil || !read.MetadataOnly {
		t.Errorf("live, the wildcard's right is the only one, got %+v, %v", read, err)
	}
}
