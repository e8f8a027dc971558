package main

// hasBoth waits until a namespace has what every namespace gets.
func hasBoth(ns string) step {
	return together(
		until("serviceaccounts", ns+"/default", "metadata.deletionTimestamp="),
		until("configmaps", ns+"/kube-root-ca.crt", "metadata.deletionTimestamp="),
	)
}

// rootCA waits until the root CA's ConfigMap holds a certificate and nothing else.
func rootCA() step {
	return step{"until kube-root-ca.crt holds the root CA", untilRootCA}
}

var serviceAccountScenarios = []scenario{
	{name: "namespace-created", steps: []step{
		hasBoth("$NS"),
		rootCA(),
	}},
	{name: "account-deleted", steps: []step{
		remove("serviceaccounts", "default"),
		hasBoth("$NS"),
		remove("serviceaccounts", "default"),
		hasBoth("$NS"),
	}},
	{name: "another-account-deleted", steps: []step{
		create("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: builder}"),
		remove("serviceaccounts", "builder"),
		gone("serviceaccounts", "builder"),
		hasBoth("$NS"),
	}},
	{name: "account-edited", steps: []step{
		patch("serviceaccounts", "default", "{automountServiceAccountToken: false, imagePullSecrets: [{name: registry}], metadata: {labels: {own: label}}}"),
		pause(stepQuiet),
		until("serviceaccounts", "default", "automountServiceAccountToken=false"),
	}},
	{name: "account-held", steps: []step{
		patch("serviceaccounts", "default", "metadata: {finalizers: [example.com/stay]}"),
		remove("serviceaccounts", "default"),
		pause(stepQuiet),
		patch("serviceaccounts", "default", "metadata: {finalizers: null}"),
		hasBoth("$NS"),
	}},
	{name: "root-ca-deleted", steps: []step{
		remove("configmaps", "kube-root-ca.crt"),
		hasBoth("$NS"),
		rootCA(),
	}},
	{name: "root-ca-edited", steps: []step{
		patch("configmaps", "kube-root-ca.crt", "data: {ca.crt: forged}"),
		rootCA(),
	}},
	{name: "root-ca-key-added", steps: []step{
		patch("configmaps", "kube-root-ca.crt", "data: {more: text}"),
		rootCA(),
	}},
	{name: "root-ca-emptied", steps: []step{
		patch("configmaps", "kube-root-ca.crt", "data: null"),
		rootCA(),
	}},
	{name: "root-ca-annotation-removed", steps: []step{
		patch("configmaps", "kube-root-ca.crt", "metadata: {annotations: null, labels: {own: label}}"),
		pause(stepQuiet),
		patch("configmaps", "kube-root-ca.crt", "data: {ca.crt: forged}"),
		rootCA(),
	}},
	{name: "another-config-map", steps: []step{
		create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\ndata: {ca.crt: mine}"),
		patch("configmaps", "own", "data: {ca.crt: still mine}"),
		remove("configmaps", "own"),
		gone("configmaps", "own"),
	}},
	{name: "both-deleted", steps: []step{
		together(remove("serviceaccounts", "default"), remove("configmaps", "kube-root-ca.crt")),
		hasBoth("$NS"),
		rootCA(),
	}},
	{name: "namespace-edited", steps: []step{
		patch("namespaces", "$NS", "metadata: {labels: {own: label}}"),
		pause(stepQuiet),
		remove("serviceaccounts", "default"),
		hasBoth("$NS"),
	}},
	{name: "two-namespaces", steps: []step{
		namespace("b"),
		together(remove("serviceaccounts", "$NS--b/default"), remove("configmaps", "kube-root-ca.crt")),
		hasBoth("$NS--b"),
		hasBoth("$NS"),
	}},
	{name: "namespace-terminating", steps: []step{
		create("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.com/stay]}"),
		remove("namespaces", "$NS"),
		until("namespaces", "$NS", "status.phase=Terminating"),
		gone("serviceaccounts", "default"),
		gone("configmaps", "kube-root-ca.crt"),
	}},
	{name: "namespace-deleted-and-back", steps: []step{
		remove("namespaces", "$NS"),
		gone("namespaces", "$NS"),
		create("apiVersion: v1\nkind: Namespace\nmetadata: {name: $NS}"),
		hasBoth("$NS"),
		rootCA(),
	}},
}
