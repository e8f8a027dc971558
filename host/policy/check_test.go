package policy_test

import (
	"errors"
	"testing"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/policy"
)

var (
	pod        = &abi.Kind{APIVersion: "v1", Kind: "Pod"}
	deployment = &abi.Kind{APIVersion: "apps/v1", Kind: "Deployment"}
)

func TestCheckAction(t *testing.T) {
	grant := &policy.Grant{
		Controller: "web",
		Rules: []policy.Rule{
			{APIVersion: "v1", Kind: "Pod", Verbs: []string{"create", "delete"}, Namespaces: []string{"a", "b"}},
			{APIVersion: "apps/v1", Kind: "Deployment", Subresource: "status", Verbs: []string{"update", "patch"}},
			{APIVersion: "batch/v1", Kind: "Job", Subresource: policy.Any, Verbs: []string{policy.Any}},
		},
		Externals: []policy.External{{Provider: "signer", Operations: []string{"sign"}}},
	}
	cases := map[string]struct {
		reason string
		action abi.Action
		want   string
		hint   string
	}{
		"granted": {
			"verb, kind and namespace are named",
			abi.Action{Verb: abi.VerbCreate, Kind: pod, Namespace: "a"},
			"", "",
		},
		"other namespace": {
			"a rule's namespaces are all it covers",
			abi.Action{Verb: abi.VerbCreate, Kind: pod, Namespace: "c"},
			"cannot create v1 Pod in namespace c: not granted to controller web",
			"- {apiVersion: v1, kind: Pod, verbs: [create], namespaces: [c]}",
		},
		"no namespace": {
			"a rule with namespaces covers nothing outside of them",
			abi.Action{Verb: abi.VerbDelete, Kind: pod},
			"cannot delete v1 Pod: not granted to controller web",
			"- {apiVersion: v1, kind: Pod, verbs: [delete]}",
		},
		"other verb": {
			"verbs are not implied by one another",
			abi.Action{Verb: abi.VerbUpdate, Kind: pod, Namespace: "a"},
			"cannot update v1 Pod in namespace a: not granted to controller web",
			"- {apiVersion: v1, kind: Pod, verbs: [update], namespaces: [a]}",
		},
		"subresource of a granted object": {
			"the object's right is not its subresources'",
			abi.Action{Verb: abi.VerbCreate, Kind: pod, Subresource: "eviction", Namespace: "a"},
			"cannot create v1 Pod/eviction in namespace a: not granted to controller web",
			"- {apiVersion: v1, kind: Pod, subresource: eviction, verbs: [create], namespaces: [a]}",
		},
		"object of a granted subresource": {
			"nor the other way round",
			abi.Action{Verb: abi.VerbUpdate, Kind: deployment, Namespace: "a"},
			"cannot update apps/v1 Deployment in namespace a: not granted to controller web",
			"- {apiVersion: apps/v1, kind: Deployment, verbs: [update], namespaces: [a]}",
		},
		"apply is patch": {
			"there is no verb apply in the API",
			abi.Action{Verb: abi.VerbApply, Kind: deployment, Subresource: "status", Namespace: "x"},
			"", "",
		},
		"another version": {
			"the version is no boundary",
			abi.Action{Verb: abi.VerbUpdate, Kind: &abi.Kind{APIVersion: "apps/v1beta1", Kind: "Deployment"}, Subresource: "status"},
			"", "",
		},
		"another group": {
			"the group is one",
			abi.Action{Verb: abi.VerbUpdate, Kind: &abi.Kind{APIVersion: "extensions/v1", Kind: "Deployment"}, Subresource: "status"},
			"cannot update extensions/v1 Deployment/status: not granted to controller web",
			"- {apiVersion: extensions/v1, kind: Deployment, subresource: status, verbs: [update]}",
		},
		"event": {"always allowed", abi.Action{Verb: abi.VerbEvent, Kind: pod, Namespace: "zzz"}, "", ""},
		"external": {
			"provider and operation are named",
			abi.Action{Verb: abi.VerbExternal, External: &abi.External{Provider: "signer", Operation: "sign"}},
			"", "",
		},
		"other operation": {
			"a provider's other operations are not implied",
			abi.Action{Verb: abi.VerbExternal, External: &abi.External{Provider: "signer", Operation: "dump"}},
			"cannot call signer dump: not granted to controller web",
			"- {provider: signer, operations: [dump]}",
		},
		"a verb of the future": {
			"what is not known is not granted",
			abi.Action{Verb: 99, Kind: &abi.Kind{APIVersion: "batch/v1", Kind: "Job"}},
			"cannot unknown verb batch/v1 Job: not granted to controller web",
			`- {apiVersion: batch/v1, kind: Job, verbs: ["unknown verb"]}`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			check(t, tc.reason, grant.CheckAction(&tc.action), tc.want, tc.hint)
		})
	}
}

func TestCheckActionByWildcards(t *testing.T) {
	grant := &policy.Grant{
		Controller: "web",
		Rules: []policy.Rule{
			{APIVersion: "batch/v1", Kind: "Job", Subresource: policy.Any, Verbs: []string{policy.Any}},
			{APIVersion: policy.Any, Kind: policy.Any, Verbs: []string{"deletecollection"}, Namespaces: []string{"a"}},
		},
	}
	cases := map[string]struct {
		reason string
		action abi.Action
		want   string
		hint   string
	}{
		"any verb and subresource": {
			"wildcards of a rule",
			abi.Action{Verb: abi.VerbPatch, Kind: &abi.Kind{APIVersion: "batch/v1", Kind: "Job"}, Subresource: "status"},
			"", "",
		},
		"any kind": {
			"a rule for every kind, in its namespace",
			abi.Action{Verb: abi.VerbDeleteCollection, Kind: deployment, Namespace: "a"},
			"", "",
		},
		"the kind *": {
			"an action is about one kind, whatever the rules say",
			abi.Action{Verb: abi.VerbDeleteCollection, Kind: &abi.Kind{APIVersion: "*", Kind: "*"}, Namespace: "a"},
			"cannot deletecollection * * in namespace a: not granted to controller web",
			`- {apiVersion: "*", kind: "*", verbs: [deletecollection], namespaces: [a]}`,
		},
		"beside a wildcard": {
			"any kind is not any verb",
			abi.Action{Verb: abi.VerbDelete, Kind: pod, Namespace: "a"},
			"cannot delete v1 Pod in namespace a: not granted to controller web",
			"- {apiVersion: v1, kind: Pod, verbs: [delete], namespaces: [a]}",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			check(t, tc.reason, grant.CheckAction(&tc.action), tc.want, tc.hint)
		})
	}
}

func TestNilGrantAllowsEventsAlone(t *testing.T) {
	var g *policy.Grant
	if err := g.CheckAction(&abi.Action{Verb: abi.VerbEvent}); err != nil {
		t.Errorf("an Event: %v", err)
	}
	if g.CheckAction(&abi.Action{Verb: abi.VerbCreate, Kind: pod}) == nil {
		t.Error("a nil grant allows a create")
	}
	if g.CheckRead(&abi.Query{Type: abi.QueryTypeGet, Kind: pod}) == nil {
		t.Error("a nil grant allows a read")
	}
}

func check(t *testing.T, reason string, err error, want, hint string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("%s: %v", reason, err)
		}
		return
	}
	var denied *policy.DeniedError
	if !errors.As(err, &denied) {
		t.Fatalf("%s: got %v, want a DeniedError", reason, err)
	}
	if denied.Error() != want {
		t.Errorf("%s:\n got %s\nwant %s", reason, denied, want)
	}
	if denied.Hint() != hint {
		t.Errorf("%s: hint\n got %s\nwant %s", reason, denied.Hint(), hint)
	}
}
