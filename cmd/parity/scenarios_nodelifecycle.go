package main

import (
	"fmt"
	"time"
)

// guestOf is a pod on a played node; tolerations are in YAML.
func guestOf(name, node, tolerations string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %s, labels: {app: %[1]s}}
spec:
  nodeName: $NS--%s
  tolerations: [%s]
  containers: [{name: c, image: "registry.k8s.io/pause:3.10"}]`, name, node, tolerations)
}

// tolerates is a toleration of one of a node's own taints, for a time.
func tolerates(taint string, seconds int) string {
	return fmt.Sprintf("{key: node.kubernetes.io/%s, operator: Exists, effect: NoExecute, tolerationSeconds: %d}", taint, seconds)
}

// forever is a toleration of one of a node's own taints for good.
func forever(taint string) string {
	return fmt.Sprintf("{key: node.kubernetes.io/%s, operator: Exists, effect: NoExecute}", taint)
}

// joined makes a node and waits until it takes pods.
func joined(name string) step {
	return together(node(name), until("nodes", "$NS--"+name, "spec.taints="))
}

const (
	// lostIn bounds the wait for a lost node: 50 s of grace, and more.
	lostIn = 100 * time.Second
	// strangeIn bounds that for one that never reported: 60 s.
	strangeIn = 120 * time.Second
)

var nodeLifecycleScenarios = []scenario{
	{name: "node-joins", steps: []step{
		joined("n"),
		until("nodes", "$NS--n", "metadata.labels.beta~kubernetes~io/os=linux metadata.labels.beta~kubernetes~io/arch=amd64"),
	}},
	{name: "node-not-ready-and-ready", steps: []step{
		joined("n"),
		report("n", condition{"Ready", "False"}),
		until("nodes", "$NS--n", "spec.taints=2"),
		report("n"),
		until("nodes", "$NS--n", "spec.taints="),
	}},
	{name: "node-says-unknown", steps: []step{
		joined("n"),
		report("n", condition{"Ready", "Unknown"}),
		until("nodes", "$NS--n", "spec.taints=2 spec.taints[node~kubernetes~io/unreachable].effect=NoSchedule"),
		report("n", condition{"Ready", "False"}),
		until("nodes", "$NS--n", "spec.taints=2 spec.taints[node~kubernetes~io/not-ready].effect=NoSchedule"),
	}},
	{name: "pods-of-a-node-not-ready", steps: []step{
		joined("n"),
		create(guestOf("web", "n", "")),
		ready("app=web", 1),
		report("n", condition{"Ready", "False"}),
		until("nodes", "$NS--n", "spec.taints=2"),
		until("pods", "web", "status.conditions[Ready].status=True"),
	}},
	{name: "pressure-and-relief", steps: []step{
		joined("n"),
		report("n", condition{"MemoryPressure", "True"}, condition{"DiskPressure", "True"}, condition{"PIDPressure", "True"}),
		until("nodes", "$NS--n", "spec.taints=3"),
		report("n", condition{"DiskPressure", "True"}),
		until("nodes", "$NS--n", "spec.taints=1"),
		report("n"),
		until("nodes", "$NS--n", "spec.taints="),
	}},
	{name: "network-unavailable", steps: []step{
		joined("n"),
		report("n", condition{"NetworkUnavailable", "True"}),
		until("nodes", "$NS--n", "spec.taints[node~kubernetes~io/network-unavailable].effect=NoSchedule"),
		report("n", condition{"NetworkUnavailable", "False"}),
		until("nodes", "$NS--n", "spec.taints="),
	}},
	{name: "cordon", steps: []step{
		joined("n"),
		patch("nodes", "$NS--n", "spec: {unschedulable: true}"),
		until("nodes", "$NS--n", "spec.taints[node~kubernetes~io/unschedulable].effect=NoSchedule"),
		patch("nodes", "$NS--n", "spec: {unschedulable: null}"),
		until("nodes", "$NS--n", "spec.taints="),
	}},
	{name: "labels-restored", steps: []step{
		joined("n"),
		until("nodes", "$NS--n", "metadata.labels.beta~kubernetes~io/os=linux"),
		patch("nodes", "$NS--n", "metadata: {labels: {kubernetes.io/os: other, beta.kubernetes.io/arch: null}}"),
		until("nodes", "$NS--n", "metadata.labels.beta~kubernetes~io/os=other metadata.labels.beta~kubernetes~io/arch=amd64"),
	}},
	{name: "taint-removed-by-hand", steps: []step{
		joined("n"),
		report("n", condition{"Ready", "False"}),
		until("nodes", "$NS--n", "spec.taints=2"),
		patch("nodes", "$NS--n", "spec: {taints: null}"),
		until("nodes", "$NS--n", "spec.taints=2"),
	}},
	{name: "evicts-at-once", steps: []step{
		joined("n"),
		create(guestOf("web", "n", "")),
		ready("app=web", 1),
		patch("nodes", "$NS--n", "spec: {taints: [{key: example.com/out, effect: NoExecute}]}"),
		until("pods", "web", "metadata.deletionTimestamp!="),
	}},
	{name: "evicts-by-value", steps: []step{
		joined("n"),
		create(
			guestOf("stays", "n", "{key: example.com/out, operator: Equal, value: slow, effect: NoExecute}"),
			guestOf("goes", "n", "{key: example.com/out, operator: Equal, value: quick, effect: NoExecute}"),
		),
		together(ready("app=stays", 1), ready("app=goes", 1)),
		patch("nodes", "$NS--n", "spec: {taints: [{key: example.com/out, value: slow, effect: NoExecute}]}"),
		until("pods", "goes", "metadata.deletionTimestamp!="),
	}},
	{name: "tolerates-for-a-time", steps: []step{
		joined("n"),
		create(guestOf("web", "n", tolerates("not-ready", 3))),
		ready("app=web", 1),
		report("n", condition{"Ready", "False"}),
		until("pods", "web", "metadata.deletionTimestamp!="),
	}},
	{name: "tolerates-two-taints", steps: []step{
		joined("n"),
		create(guestOf("web", "n", tolerates("not-ready", 100)+", {key: example.com/out, operator: Exists, effect: NoExecute, tolerationSeconds: 2}")),
		ready("app=web", 1),
		patch("nodes", "$NS--n", "spec: {taints: [{key: example.com/out, effect: NoExecute}, {key: node.kubernetes.io/not-ready, effect: NoExecute}]}"),
		until("pods", "web", "metadata.deletionTimestamp!="),
	}},
	{name: "tolerates-forever", steps: []step{
		joined("n"),
		create(guestOf("web", "n", forever("not-ready"))),
		ready("app=web", 1),
		report("n", condition{"Ready", "False"}),
		until("nodes", "$NS--n", "spec.taints=2"),
		until("pods", "web", "metadata.deletionTimestamp="),
	}},
	{name: "eviction-called-off", steps: []step{
		joined("n"),
		create(guestOf("web", "n", tolerates("not-ready", 30))),
		ready("app=web", 1),
		report("n", condition{"Ready", "False"}),
		until("nodes", "$NS--n", "spec.taints=2"),
		report("n"),
		until("nodes", "$NS--n", "spec.taints="),
		event("TaintManagerEviction"),
	}},
	{name: "pod-on-a-tainted-node", steps: []step{
		joined("n"),
		patch("nodes", "$NS--n", "spec: {taints: [{key: example.com/out, effect: NoExecute}]}"),
		create(guestOf("web", "n", "")),
		until("pods", "web", "metadata.deletionTimestamp!="),
	}},
	{name: "node-deleted", steps: []step{
		joined("n"),
		registered("n"),
		together(lose("n"), remove("nodes", "$NS--n")),
		gone("nodes", "$NS--n"),
	}},
	{name: "node-lost", slow: true, steps: []step{
		joined("n"),
		create(guestOf("web", "n", forever("unreachable"))),
		ready("app=web", 1),
		lose("n"),
		untilIn(lostIn, "nodes", "$NS--n", "status.conditions[Ready].status=Unknown spec.taints=2"),
		until("pods", "web", "status.conditions[Ready].status=False"),
	}},
	{name: "node-lost-and-back", slow: true, steps: []step{
		joined("n"),
		lose("n"),
		untilIn(lostIn, "nodes", "$NS--n", "status.conditions[Ready].status=Unknown spec.taints=2"),
		back("n"),
		until("nodes", "$NS--n", "spec.taints= status.conditions[Ready].status=True"),
	}},
	{name: "node-lost-evicts", slow: true, steps: []step{
		joined("n"),
		create(guestOf("web", "n", tolerates("unreachable", 2)), guestOf("stays", "n", forever("unreachable"))),
		together(ready("app=web", 1), ready("app=stays", 1)),
		lose("n"),
		untilIn(lostIn, "pods", "web", "metadata.deletionTimestamp!="),
		until("pods", "stays", "metadata.deletionTimestamp= status.conditions[Ready].status=False"),
	}},
	{name: "one-of-three-lost", slow: true, steps: []step{
		joined("a"), joined("b"), joined("c"),
		create(guestOf("web", "a", tolerates("unreachable", 1)), guestOf("other", "b", tolerates("unreachable", 1))),
		together(ready("app=web", 1), ready("app=other", 1)),
		lose("a"),
		untilIn(lostIn, "pods", "web", "metadata.deletionTimestamp!="),
		until("nodes", "$NS--b", "spec.taints="),
	}},
	{name: "node-never-reports", slow: true, steps: []step{
		bareNode("n"),
		untilIn(strangeIn, "nodes", "$NS--n", "status.conditions[Ready].reason=NodeStatusNeverUpdated spec.taints=2"),
	}},
}
