package main

// note is a ConfigMap; more goes into its metadata.
func note(name string, more ...string) string {
	text := ""
	for _, m := range more {
		text += ", " + m
	}
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + text + "}\n"
}

const (
	held     = "finalizers: [example.com/stay]"
	nobody   = "11111111-2222-3333-4444-555555555555"
	letGo    = "metadata: {finalizers: null}"
	widgetOf = `apiVersion: $NS.example.com/v1
kind: Widget
`
)

// widgets is a custom kind of the scenario's own.
const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.$NS.example.com}
spec:
  group: $NS.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]`

const widgetResource = "widgets.v1.$NS.example.com"

var garbageCollectorScenarios = []scenario{
	{name: "background", steps: []step{
		create(note("owner")),
		own(note("a"), ownedBy("configmaps/owner")),
		own(note("b"), blocking("configmaps/owner")),
		remove("configmaps", "owner", background),
		gone("configmaps", "a"),
		gone("configmaps", "b"),
	}},
	{name: "foreground", steps: []step{
		create(note("owner")),
		own(note("a"), blocking("configmaps/owner")),
		own(note("b"), controlledBy("configmaps/owner")),
		remove("configmaps", "owner", foreground),
		gone("configmaps", "owner"),
		gone("configmaps", "a"),
		gone("configmaps", "b"),
	}},
	{name: "foreground-waits", steps: []step{
		create(note("owner")),
		own(note("a", held), blocking("configmaps/owner")),
		remove("configmaps", "owner", foreground),
		until("configmaps", "a", "metadata.deletionTimestamp!="),
		until("configmaps", "owner", "metadata.finalizers[0]=foregroundDeletion"),
		patch("configmaps", "a", letGo),
		gone("configmaps", "owner"),
	}},
	{name: "foreground-does-not-wait", steps: []step{
		create(note("owner")),
		own(note("a", held), ownedBy("configmaps/owner")),
		remove("configmaps", "owner", foreground),
		gone("configmaps", "owner"),
		until("configmaps", "a", "metadata.deletionTimestamp!="),
	}},
	{name: "foreground-chain", steps: []step{
		create(note("a")),
		own(note("b"), blocking("configmaps/a")),
		own(note("c"), blocking("configmaps/b")),
		own(note("d", held), blocking("configmaps/c")),
		remove("configmaps", "a", foreground),
		until("configmaps", "d", "metadata.deletionTimestamp!="),
		until("configmaps", "b", "metadata.deletionTimestamp!="),
		patch("configmaps", "d", letGo),
		gone("configmaps", "a"),
	}},
	{name: "foreground-two-owners", steps: []step{
		create(note("going"), note("staying")),
		own(note("a"), blocking("configmaps/going"), blocking("configmaps/staying")),
		remove("configmaps", "going", foreground),
		gone("configmaps", "going"),
		until("configmaps", "a", "metadata.ownerReferences=1 metadata.ownerReferences[0].name=staying"),
	}},
	{name: "foreground-circle", steps: []step{
		create(note("a"), note("b")),
		disown("configmaps", "a", blocking("configmaps/b")),
		disown("configmaps", "b", blocking("configmaps/a")),
		remove("configmaps", "a", foreground),
		gone("configmaps", "a"),
		gone("configmaps", "b"),
	}},
	{name: "orphan", steps: []step{
		create(note("owner")),
		own(note("a"), blocking("configmaps/owner")),
		own(note("b"), controlledBy("configmaps/owner")),
		remove("configmaps", "owner", orphan),
		gone("configmaps", "owner"),
		until("configmaps", "a", "metadata.ownerReferences="),
		until("configmaps", "b", "metadata.ownerReferences="),
	}},
	{name: "orphan-two-owners", steps: []step{
		create(note("going"), note("staying")),
		own(note("a"), ownedBy("configmaps/going"), ownedBy("configmaps/staying")),
		remove("configmaps", "going", orphan),
		until("configmaps", "a", "metadata.ownerReferences=1 metadata.ownerReferences[0].name=staying"),
	}},
	{name: "one-of-two-owners-goes", steps: []step{
		create(note("going"), note("staying")),
		own(note("a"), ownedBy("configmaps/going"), ownedBy("configmaps/staying")),
		remove("configmaps", "going", background),
		until("configmaps", "a", "metadata.ownerReferences=1"),
	}},
	{name: "both-owners-go", steps: []step{
		create(note("first"), note("second")),
		own(note("a"), ownedBy("configmaps/first"), ownedBy("configmaps/second")),
		together(remove("configmaps", "first", background), remove("configmaps", "second", background)),
		gone("configmaps", "a"),
	}},
	{name: "owner-never-was", steps: []step{
		own(note("a"), strangerCalled("configmaps/nowhere", nobody)),
		gone("configmaps", "a"),
	}},
	{name: "owner-is-another", steps: []step{
		create(note("owner")),
		own(note("a"), strangerCalled("configmaps/owner", nobody)),
		gone("configmaps", "a"),
	}},
	{name: "one-real-owner", steps: []step{
		create(note("owner")),
		own(note("a"), ownedBy("configmaps/owner"), strangerCalled("configmaps/nowhere", nobody)),
		until("configmaps", "a", "metadata.ownerReferences=1"),
	}},
	{name: "owner-in-another-namespace", steps: []step{
		namespace("b"),
		create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: owner, namespace: $NS--b}\n"),
		own(note("a"), ownedBy("configmaps/$NS--b/owner")),
		gone("configmaps", "a"),
		event("OwnerRefInvalidNamespace"),
	}},
	{name: "owner-without-namespace", steps: []step{
		create("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: $NS--owner}\n"),
		own(note("a"), ownedBy("clusterroles/$NS--owner")),
		remove("clusterroles", "$NS--owner", background),
		gone("configmaps", "a"),
	}},
	{name: "namespaced-owner-of-the-clusters", steps: []step{
		create(note("owner")),
		own("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: $NS--a}\n", ownedBy("configmaps/owner")),
		remove("configmaps", "owner", background),
		gone("configmaps", "owner"),
	}},
	{name: "owner-changes", steps: []step{
		create(note("first"), note("second")),
		own(note("a"), ownedBy("configmaps/first")),
		disown("configmaps", "a", ownedBy("configmaps/second")),
		remove("configmaps", "first", background),
		gone("configmaps", "first"),
		remove("configmaps", "second", background),
		gone("configmaps", "a"),
	}},
	{name: "chain", steps: []step{
		create(note("a")),
		own(note("b"), ownedBy("configmaps/a")),
		own("apiVersion: v1\nkind: Secret\nmetadata: {name: c}\n", ownedBy("configmaps/b")),
		own("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: d}\n", ownedBy("secrets/c")),
		remove("configmaps", "a", background),
		gone("serviceaccounts", "d"),
	}},
	{name: "deployment-orphans", steps: []step{
		create(deployment("web", 1)),
		ready("app=web", 1),
		complete("web", 1),
		remove("deployments", "web", orphan),
		gone("deployments", "web"),
		count("replicasets", "app=web", 1, "metadata.ownerReferences="),
		removeOne("replicasets", "app=web", background),
		count("pods", "app=web", 0),
	}},
	{name: "custom-owner", slow: true, steps: []step{
		create(widgets),
		until("customresourcedefinitions", "widgets.$NS.example.com", "status.conditions[Established].status=True"),
		create(widgetOf + "metadata: {name: owner}"),
		own(note("a"), ownedBy(widgetResource+"/owner")),
		own(widgetOf+"metadata: {name: b}", blocking(widgetResource+"/owner")),
		remove(widgetResource, "owner", background),
		goneIn(2*patience, "configmaps", "a"),
		goneIn(2*patience, widgetResource, "b"),
	}},
	{name: "custom-kind-removed", steps: []step{
		create(widgets),
		until("customresourcedefinitions", "widgets.$NS.example.com", "status.conditions[Established].status=True"),
		create(widgetOf + "metadata: {name: owner}"),
		own(note("a"), ownedBy(widgetResource+"/owner")),
		own(note("b"), ownedBy("customresourcedefinitions/widgets.$NS.example.com")),
		remove("customresourcedefinitions", "widgets.$NS.example.com"),
		gone("customresourcedefinitions", "widgets.$NS.example.com"),
		gone("configmaps", "b"),
		gone("configmaps", "a"), // the kind's objects go before it does
	}},
	{name: "namespace-deleted", steps: []step{
		create(note("owner")),
		own(note("a"), ownedBy("configmaps/owner")),
		remove("namespaces", "$NS"),
		gone("namespaces", "$NS"),
	}},
}
