package main

import "fmt"

// replicaSet is a ReplicaSet whose pods carry app=NAME; more goes into its spec.
func replicaSet(name string, n int, more ...string) string {
	spec := ""
	for _, m := range more {
		spec += "  " + m + "\n"
	}
	return fmt.Sprintf(`apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: %[1]s, labels: {app: %[1]s}}
spec:
  replicas: %[2]d
  selector: {matchLabels: {app: %[1]s}}
%[3]s  template:
    metadata: {labels: {app: %[1]s}}
    spec: {containers: [{name: c, image: registry.k8s.io/pause:3.10}]}
`, name, n, spec)
}

// pod is a pod on its own; more goes into its metadata.
func pod(name, labels, more string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %s, labels: {%s}%s}
spec: {containers: [{name: c, image: registry.k8s.io/pause:3.10, ports: [{name: http, containerPort: 8080}]}]}
`, name, labels, more)
}

var replicaSetScenarios = []scenario{
	{name: "create", steps: []step{
		create(replicaSet("web", 3)),
		until("replicasets", "web", "status.replicas=3"),
	}},
	{name: "pods-become-ready", steps: []step{
		create(replicaSet("web", 3)),
		readySome("app=web", 3, 1),
		until("replicasets", "web", "status.readyReplicas=1 status.availableReplicas=1"),
		readySome("app=web", 3, 2),
		until("replicasets", "web", "status.readyReplicas=3 status.availableReplicas=3"),
		unready("app=web", 3),
		until("replicasets", "web", "status.readyReplicas="),
	}},
	{name: "scale-up", steps: []step{
		create(replicaSet("web", 1)),
		ready("app=web", 1),
		patch("replicasets", "web", "spec: {replicas: 6}"),
		until("replicasets", "web", "status.replicas=6 status.readyReplicas=1"),
		ready("app=web", 6),
		until("replicasets", "web", "status.readyReplicas=6"),
	}},
	{name: "scale-down-unready-first", steps: []step{
		create(replicaSet("web", 4)),
		readySome("app=web", 4, 2),
		until("replicasets", "web", "status.readyReplicas=2"),
		patch("replicasets", "web", "spec: {replicas: 2}"),
		until("replicasets", "web", "status.replicas=2 status.readyReplicas=2"),
	}},
	{name: "scale-to-zero", steps: []step{
		create(replicaSet("web", 3)),
		ready("app=web", 3),
		patch("replicasets", "web", "spec: {replicas: 0}"),
		until("replicasets", "web", "status.replicas=0"),
		count("pods", "app=web", 0),
	}},
	{name: "deletion-cost", steps: []step{
		create(
			pod("cheap", "app: web", `, annotations: {controller.kubernetes.io/pod-deletion-cost: "-10"}`),
			pod("dear", "app: web", `, annotations: {controller.kubernetes.io/pod-deletion-cost: "10"}`),
			pod("plain", "app: web", ""),
		),
		ready("app=web", 3),
		create(replicaSet("web", 3)),
		until("replicasets", "web", "status.readyReplicas=3"),
		patch("replicasets", "web", "spec: {replicas: 1}"),
		until("replicasets", "web", "status.replicas=1"),
	}},
	{name: "pod-deleted", steps: []step{
		create(replicaSet("web", 3)),
		ready("app=web", 3),
		until("replicasets", "web", "status.readyReplicas=3"),
		removeOne("pods", "app=web", now),
		count("pods", "app=web", 3),
		until("replicasets", "web", "status.replicas=3 status.readyReplicas=2"),
	}},
	{name: "pod-fails", steps: []step{
		create(replicaSet("web", 1)),
		fail("app=web", 1),
		count("pods", "app=web", 2),
		until("replicasets", "web", "status.replicas=1"),
	}},
	{name: "adopts", steps: []step{
		create(pod("lone", "app: web", "")),
		create(replicaSet("web", 2)),
		until("pods", "lone", "metadata.ownerReferences[0].kind=ReplicaSet"),
		until("replicasets", "web", "status.replicas=2"),
	}},
	{name: "releases", steps: []step{
		create(pod("lone", "app: web", "")),
		create(replicaSet("web", 2)),
		until("replicasets", "web", "status.replicas=2"),
		patch("pods", "lone", "metadata: {labels: {app: other}}"),
		until("pods", "lone", "metadata.ownerReferences="),
		count("pods", "app=web", 2),
	}},
	{name: "another-owners-pod", steps: []step{
		create(pod("taken", "app: web", `, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: kube-root-ca.crt, uid: 00000000-0000-0000-0000-000000000000, controller: true}], finalizers: [example.com/stay]`)),
		create(replicaSet("web", 1)),
		until("replicasets", "web", "status.replicas=1"),
		count("pods", "app=web", 1),
	}},
	{name: "min-ready-seconds", steps: []step{
		create(replicaSet("web", 2, "minReadySeconds: 4")),
		ready("app=web", 2),
		until("replicasets", "web", "status.readyReplicas=2 status.availableReplicas="),
		until("replicasets", "web", "status.availableReplicas=2"),
	}},
	{name: "template-changes", steps: []step{
		create(replicaSet("web", 1)),
		ready("app=web", 1),
		patch("replicasets", "web", "spec: {template: {metadata: {annotations: {example.com/next: second}}}}"),
		patch("replicasets", "web", "spec: {replicas: 2}"),
		until("replicasets", "web", "status.replicas=2 status.fullyLabeledReplicas=2"),
	}},
	{name: "quota", steps: []step{
		create("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: two}\nspec: {hard: {pods: 2}}"),
		until("resourcequotas", "two", "status.hard.pods=2"),
		create(replicaSet("web", 3)),
		until("replicasets", "web", "status.replicas=2 status.conditions[ReplicaFailure].status=True"),
		together(
			patch("resourcequotas", "two", "spec: {hard: {pods: 9}}"),
			patch("replicasets", "web", "spec: {replicas: 2}"),
		),
		until("replicasets", "web", "status.conditions[ReplicaFailure].status="),
	}},
	{name: "two-overlap", steps: []step{
		create(replicaSet("web", 2)),
		until("replicasets", "web", "status.replicas=2"),
		create(`apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: rival}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: registry.k8s.io/pause:3.10}]}`),
		until("replicasets", "rival", "status.replicas=1"),
		count("pods", "app=web", 3),
	}},
	{name: "deleted-with-its-pods", steps: []step{
		create(replicaSet("web", 2)),
		ready("app=web", 2),
		until("replicasets", "web", "status.readyReplicas=2"),
		remove("replicasets", "web", foreground),
		gone("replicasets", "web"),
		count("pods", "app=web", 0),
	}},
	{name: "deleted-without-its-pods", steps: []step{
		create(replicaSet("web", 2)),
		until("replicasets", "web", "status.replicas=2"),
		remove("replicasets", "web", orphan),
		gone("replicasets", "web"),
		count("pods", "app=web", 2, "metadata.ownerReferences="),
		create(replicaSet("web", 2)),
		until("replicasets", "web", "status.replicas=2"),
		count("pods", "app=web", 2, "metadata.ownerReferences[0].name=web"),
	}},
	{name: "namespace-deleted", steps: []step{
		create(replicaSet("web", 2)),
		until("replicasets", "web", "status.replicas=2"),
		remove("namespaces", "$NS"),
		gone("namespaces", "$NS"),
	}},
}
