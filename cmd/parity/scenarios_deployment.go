package main

import "fmt"

// deployment is a Deployment whose pods carry app=NAME; more goes into its spec.
func deployment(name string, n int, more ...string) string {
	spec := ""
	for _, m := range more {
		spec += "  " + m + "\n"
	}
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, labels: {app: %[1]s}}
spec:
  replicas: %[2]d
  selector: {matchLabels: {app: %[1]s}}
%[3]s  template:
    metadata: {labels: {app: %[1]s}}
    spec: {containers: [{name: c, image: "registry.k8s.io/pause:3.10"}]}
`, name, n, spec)
}

// image gives a Deployment another image; version is its tag.
func image(name, version string) step {
	return patch("deployments", name, `spec: {template: {spec: {containers: [{name: c, image: "registry.k8s.io/pause:`+version+`"}]}}}`)
}

// complete waits until a Deployment's pods are all new and available.
func complete(name string, n int) step {
	return until("deployments", name, fmt.Sprintf("status.replicas=%d status.updatedReplicas=%[1]d status.availableReplicas=%[1]d status.unavailableReplicas=", n))
}

// wave waits until there are as many pods as told, and makes all of them ready.
func wave(total int) step { return ready("app=web", total) }

const oneByOne = "strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}"

var deploymentScenarios = []scenario{
	{name: "create", steps: []step{
		create(deployment("web", 3)),
		until("deployments", "web", "status.replicas=3 status.unavailableReplicas=3"),
		readySome("app=web", 3, 1),
		until("deployments", "web", "status.availableReplicas=1"),
		wave(3),
		complete("web", 3),
	}},
	{name: "scale-up-and-down", steps: []step{
		create(deployment("web", 2)),
		wave(2),
		complete("web", 2),
		patch("deployments", "web", "spec: {replicas: 5}"),
		wave(5),
		complete("web", 5),
		patch("deployments", "web", "spec: {replicas: 1}"),
		complete("web", 1),
	}},
	{name: "scale-to-zero", steps: []step{
		create(deployment("web", 2)),
		wave(2),
		patch("deployments", "web", "spec: {replicas: 0}"),
		until("deployments", "web", "status.replicas="),
		count("pods", "app=web", 0),
	}},
	{name: "roll-out", steps: []step{
		create(deployment("web", 2, oneByOne)),
		wave(2),
		complete("web", 2),
		image("web", "3.11"),
		until("deployments", "web", "status.replicas=3 status.updatedReplicas=1"),
		wave(3),
		until("deployments", "web", "status.replicas=3 status.updatedReplicas=2"),
		wave(3),
		complete("web", 2),
	}},
	{name: "roll-out-with-unavailable", steps: []step{
		create(deployment("web", 4, "strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 50%}}")),
		wave(4),
		complete("web", 4),
		image("web", "3.11"),
		until("deployments", "web", "status.updatedReplicas=2 status.availableReplicas=2"),
		wave(4),
		until("deployments", "web", "status.updatedReplicas=4"),
		wave(4),
		complete("web", 4),
	}},
	{name: "roll-out-on-nodes", steps: []step{
		create(deployment("web", 3, "minReadySeconds: 1")),
		patch("deployments", "web", "spec: {template: {spec: {nodeName: node-1}}}"),
		complete("web", 3),
		count("replicasets", "app=web", 1, "spec.replicas=3"),
	}},
	{name: "recreate", steps: []step{
		create(deployment("web", 2, "strategy: {type: Recreate}")),
		wave(2),
		complete("web", 2),
		image("web", "3.11"),
		until("deployments", "web", "status.updatedReplicas=2"),
		wave(2),
		complete("web", 2),
	}},
	{name: "undo", steps: []step{
		create(deployment("web", 1, oneByOne)),
		wave(1),
		complete("web", 1),
		image("web", "3.11"),
		wave(2),
		complete("web", 1),
		image("web", "3.10"),
		wave(2),
		complete("web", 1),
		until("deployments", "web", "metadata.annotations.deployment~kubernetes~io/revision=3"),
	}},
	{name: "pause-and-resume", steps: []step{
		create(deployment("web", 2, oneByOne)),
		wave(2),
		complete("web", 2),
		patch("deployments", "web", "spec: {paused: true}"),
		until("deployments", "web", "status.conditions[Progressing].reason=DeploymentPaused"),
		image("web", "3.11"),
		patch("deployments", "web", "spec: {replicas: 3}"),
		until("deployments", "web", "status.replicas=3"),
		wave(3),
		patch("deployments", "web", "spec: {paused: false}"),
		until("deployments", "web", "status.updatedReplicas=1"),
		wave(4),
		wave(4),
		wave(4),
		complete("web", 3),
	}},
	{name: "created-paused", steps: []step{
		create(deployment("web", 2, "paused: true")),
		until("deployments", "web", "status.observedGeneration=1"),
		count("replicasets", "app=web", 0),
		patch("deployments", "web", "spec: {paused: false}"),
		wave(2),
		complete("web", 2),
	}},
	{name: "rollover", steps: []step{
		create(deployment("web", 2, oneByOne)),
		wave(2),
		complete("web", 2),
		image("web", "3.11"),
		until("deployments", "web", "status.updatedReplicas=1"),
		image("web", "3.12"),
		until("deployments", "web", "status.updatedReplicas=1 metadata.annotations.deployment~kubernetes~io/revision=3"),
		wave(3),
		wave(3),
		complete("web", 2),
	}},
	{name: "proportional-scaling", steps: []step{
		create(deployment("web", 4, "strategy: {rollingUpdate: {maxSurge: 2, maxUnavailable: 1}}")),
		wave(4),
		complete("web", 4),
		image("web", "3.11"),
		until("deployments", "web", "status.replicas=6 status.updatedReplicas=3"),
		patch("deployments", "web", "spec: {replicas: 8}"),
		until("deployments", "web", "status.replicas=10"),
	}},
	{name: "history-limit", steps: []step{
		create(deployment("web", 1, oneByOne, "revisionHistoryLimit: 1")),
		wave(1),
		complete("web", 1),
		image("web", "3.11"),
		wave(2),
		complete("web", 1),
		image("web", "3.12"),
		wave(2),
		complete("web", 1),
		count("replicasets", "app=web", 2),
	}},
	{name: "no-history", steps: []step{
		create(deployment("web", 1, oneByOne, "revisionHistoryLimit: 0")),
		wave(1),
		image("web", "3.11"),
		wave(2),
		complete("web", 1),
		count("replicasets", "app=web", 1),
	}},
	{name: "deadline-exceeded", steps: []step{
		create(deployment("web", 1, "progressDeadlineSeconds: 3")),
		until("deployments", "web", "status.conditions[Progressing].reason=ProgressDeadlineExceeded"),
		wave(1),
		until("deployments", "web", "status.conditions[Progressing].reason=NewReplicaSetAvailable"),
	}},
	{name: "min-ready-seconds", steps: []step{
		create(deployment("web", 1, "minReadySeconds: 3")),
		wave(1),
		until("deployments", "web", "status.readyReplicas=1 status.availableReplicas="),
		complete("web", 1),
	}},
	{name: "annotations-and-strategy-change", steps: []step{
		create(deployment("web", 2)),
		wave(2),
		complete("web", 2),
		patch("deployments", "web", "metadata: {annotations: {example.com/note: first}}"),
		count("replicasets", "app=web", 1, "metadata.annotations.example~com/note=first"),
		patch("deployments", "web", "spec: {minReadySeconds: 1, revisionHistoryLimit: 3, strategy: {rollingUpdate: {maxSurge: 50%}}}"),
		until("deployments", "web", "status.observedGeneration=3 status.availableReplicas=2"),
	}},
	{name: "adopts-its-replicaset", steps: []step{
		create(deployment("web", 2)),
		wave(2),
		complete("web", 2),
		remove("deployments", "web", orphan),
		gone("deployments", "web"),
		count("replicasets", "app=web", 1, "metadata.ownerReferences="),
		create(deployment("web", 2)),
		complete("web", 2),
		count("replicasets", "app=web", 1, "metadata.ownerReferences[0].name=web"),
	}},
	{name: "replicaset-deleted", steps: []step{
		create(deployment("web", 1)),
		wave(1),
		complete("web", 1),
		removeOne("replicasets", "app=web", background),
		wave(1),
		complete("web", 1),
	}},
	{name: "deleted-with-dependents", steps: []step{
		create(deployment("web", 2)),
		wave(2),
		complete("web", 2),
		remove("deployments", "web", foreground),
		gone("deployments", "web"),
		count("pods", "app=web", 0),
	}},
	{name: "labels-change", steps: []step{
		create(deployment("web", 1)),
		wave(1),
		complete("web", 1),
		patch("deployments", "web", "metadata: {labels: {tier: front}}"),
		patch("deployments", "web", "spec: {template: {metadata: {labels: {tier: front}}}}"),
		wave(2),
		complete("web", 1),
	}},
}
