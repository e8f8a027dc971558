package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/policy"
)

func manifest() *abi.Controller {
	return &abi.Controller{
		Name:    "web",
		Primary: &abi.PrimaryKeys{Kind: deployment},
		Reads:   []abi.KindRead{{Kind: pod, Namespaces: []string{"a", "b"}}},
		Access: []abi.Access{
			{Kind: pod, Verbs: []string{"create", "delete"}, Namespaces: []string{"a", "b"}},
			{Kind: deployment, Subresource: "status", Verbs: []string{"update"}},
		},
		Externals: []abi.ExternalUse{{Provider: "signer", Operations: []string{"sign", "list"}}},
	}
}

func TestIntersect(t *testing.T) {
	cases := map[string]struct {
		reason  string
		grant   *policy.Grant
		missing string
	}{
		"nil": {"without a grant the manifest has what it asks for", nil, ""},
		"nothing": {
			"everything is listed, ready to paste",
			&policy.Grant{},
			`- {apiVersion: v1, kind: Pod, verbs: [create, delete], namespaces: [a, b]}
- {apiVersion: apps/v1, kind: Deployment, subresource: status, verbs: [update]}
- {apiVersion: apps/v1, kind: Deployment, verbs: [get, list, watch]}
- {apiVersion: v1, kind: Pod, verbs: [get, list, watch], namespaces: [a, b]}
- {provider: signer, operations: [sign, list]}
`,
		},
		"in parts": {
			"two rules together may cover what is asked",
			&policy.Grant{
				Rules: []policy.Rule{
					{APIVersion: "v1", Kind: "Pod", Verbs: []string{"*"}, Namespaces: []string{"a"}},
					{APIVersion: "v1", Kind: "Pod", Verbs: []string{"create", "get", "list", "watch"}, Namespaces: []string{"b"}},
					{APIVersion: "apps/v1", Kind: "*", Subresource: "*", Verbs: []string{"get", "list", "watch", "update"}},
				},
				Externals: []policy.External{{Provider: "signer", Operations: []string{"sign"}}},
			},
			`- {apiVersion: v1, kind: Pod, verbs: [delete], namespaces: [a, b]}
- {provider: signer, operations: [list]}
`,
		},
		"narrower": {
			"less than asked is missing, even if it is something",
			&policy.Grant{
				Rules: []policy.Rule{
					{APIVersion: "*", Kind: "*", Subresource: "*", Verbs: []string{"*"}, Namespaces: []string{"a"}},
				},
				Externals: []policy.External{{Provider: "signer", Operations: []string{"*"}}},
			},
			`- {apiVersion: v1, kind: Pod, verbs: [create, delete], namespaces: [a, b]}
- {apiVersion: apps/v1, kind: Deployment, subresource: status, verbs: [update]}
- {apiVersion: apps/v1, kind: Deployment, verbs: [get, list, watch]}
- {apiVersion: v1, kind: Pod, verbs: [get, list, watch], namespaces: [a, b]}
`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, missing := policy.Intersect(manifest(), tc.grant)
			if diff := cmp.Diff(tc.missing, policy.Lines(missing)); diff != "" {
				t.Errorf("%s: -want +got\n%s", tc.reason, diff)
			}
		})
	}
}

func TestIntersectNeverGivesMoreThanEither(t *testing.T) {
	operator := &policy.Grant{Rules: []policy.Rule{
		{APIVersion: "*", Kind: "*", Subresource: "*", Verbs: []string{"*"}, Namespaces: []string{"a", "z"}},
	}}
	got, _ := policy.Intersect(manifest(), operator)
	want := &policy.Grant{
		Controller: "web",
		Rules: []policy.Rule{
			{APIVersion: "v1", Kind: "Pod", Verbs: []string{"create", "delete"}, Namespaces: []string{"a"}},
			{APIVersion: "apps/v1", Kind: "Deployment", Subresource: "status", Verbs: []string{"update"}, Namespaces: []string{"a", "z"}},
		},
		Reads: []policy.Read{
			{Kind: *deployment, Namespaces: []string{"a", "z"}},
			{Kind: *pod, Namespaces: []string{"a"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestMissingLinesGrantWhatWasMissing(t *testing.T) {
	_, missing := policy.Intersect(manifest(), &policy.Grant{})
	grant := &policy.Grant{}
	for _, m := range missing {
		var err error
		if m.External != nil {
			err = yaml.UnmarshalStrict([]byte(m.String()), &grant.Externals)
		} else {
			var rules []policy.Rule
			err = yaml.UnmarshalStrict([]byte(m.String()), &rules)
			grant.Rules = append(grant.Rules, rules...)
		}
		if err != nil {
			t.Fatalf("cannot read %q: %v", m, err)
		}
	}
	if _, again := policy.Intersect(manifest(), grant); len(again) != 0 {
		t.Errorf("after pasting, still missing:\n%s", policy.Lines(again))
	}
}
