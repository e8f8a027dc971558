package main

import "fmt"

// backend is a pod with an address of its own, on a node that a step plays; more
// goes into its spec.
func backend(name, ip string, more ...string) string { return labelled(name, "web", ip, 8080, more...) }

func labelled(name, app, ip string, port int, more ...string) string {
	spec := ""
	for _, m := range more {
		spec += m + ", "
	}
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %s, labels: {app: %s}, annotations: {ip: %q}}
spec: {nodeName: $NS--n, %scontainers: [{name: c, image: "registry.k8s.io/pause:3.10", ports: [{name: http, containerPort: %d}]}]}`,
		name, app, ip, spec, port)
}

// service selects app=web; more goes into its spec.
func service(name string, more ...string) string {
	spec := ""
	for _, m := range more {
		spec += "  " + m + "\n"
	}
	return fmt.Sprintf(`apiVersion: v1
kind: Service
metadata: {name: %s, labels: {team: blue}}
spec:
  ports: [{name: http, port: 80, targetPort: 8080}]
%s`, name, spec)
}

const selectsWeb = "selector: {app: web}"

// sliced waits until a Service's slices hold an endpoint, in one slice, for which the fields are as told.
func sliced(name, fields string) step {
	return count("endpointslices", "kubernetes.io/service-name="+name, 1, fields)
}

// custom is an Endpoints object of the user's own.
func custom(name string, more string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Endpoints
metadata: {name: %s, labels: {own: label}%s}
subsets: [{addresses: [{ip: 192.0.2.10}, {ip: 192.0.2.11}], ports: [{name: http, port: 8080}]}]`, name, more)
}

var endpointsScenarios = []scenario{
	{name: "service-without-pods", steps: []step{
		create(service("web", selectsWeb)),
		sliced("web", "endpoints="),
		until("endpoints", "web", "subsets="),
	}},
	{name: "service-added-to-pods", steps: []step{
		node("n"),
		create(backend("a", "192.0.2.1"), backend("b", "192.0.2.2")),
		ready("app=web", 2),
		create(service("web", selectsWeb)),
		sliced("web", "endpoints=2"),
		until("endpoints", "web", "subsets[0].addresses=2"),
	}},
	{name: "pods-become-ready-and-not", steps: []step{
		node("n"),
		create(service("web", selectsWeb)),
		create(backend("a", "192.0.2.1")),
		unready("app=web", 1),
		sliced("web", "endpoints[0].conditions.ready=false"),
		until("endpoints", "web", "subsets[0].notReadyAddresses=1"),
		ready("app=web", 1),
		sliced("web", "endpoints[0].conditions.ready=true"),
		until("endpoints", "web", "subsets[0].addresses=1"),
		unready("app=web", 1),
		sliced("web", "endpoints[0].conditions.ready=false"),
	}},
	{name: "pods-come-and-go", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1"), backend("b", "192.0.2.2")),
		ready("app=web", 2),
		sliced("web", "endpoints=2 endpoints[0].conditions.ready=true"),
		create(backend("c", "192.0.2.3")),
		ready("app=web", 3),
		sliced("web", "endpoints=3"),
		remove("pods", "a", now),
		sliced("web", "endpoints=2"),
		until("endpoints", "web", "subsets[0].addresses=2"),
	}},
	{name: "pods-end", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1"), backend("b", "192.0.2.2")),
		ready("app=web", 2),
		sliced("web", "endpoints=2 endpoints[0].conditions.ready=true"),
		together(fail("app=web", 2)),
		sliced("web", "endpoints="),
		until("endpoints", "web", "subsets="),
	}},
	{name: "pod-terminates", steps: []step{
		node("n"),
		create(service("web", selectsWeb)),
		create(backend("a", "192.0.2.1")),
		ready("app=web", 1),
		sliced("web", "endpoints[0].conditions.ready=true"),
		remove("pods", "a"), // its kubelet lets it run on
		sliced("web", "endpoints[0].conditions.terminating=true"),
		until("endpoints", "web", "subsets="),
	}},
	{name: "publish-not-ready", steps: []step{
		node("n"),
		create(service("web", selectsWeb, "publishNotReadyAddresses: true"), backend("a", "192.0.2.1")),
		unready("app=web", 1),
		sliced("web", "endpoints[0].conditions.ready=true"),
		until("endpoints", "web", "subsets[0].addresses=1"),
	}},
	{name: "headless", steps: []step{
		node("n"),
		create(service("web", selectsWeb, "clusterIP: None")),
		create(backend("a", "192.0.2.1", "hostname: first", "subdomain: web")),
		ready("app=web", 1),
		sliced("web", "endpoints[0].hostname=first"),
		until("endpoints", "web", "subsets[0].addresses[0].hostname=first"),
	}},
	{name: "selector-changes", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1"), labelled("z", "other", "192.0.2.9", 8080)),
		together(ready("app=web", 1), ready("app=other", 1)),
		sliced("web", "endpoints[0].targetRef.name=a"),
		patch("services", "web", "spec: {selector: {app: other}}"),
		sliced("web", "endpoints[0].targetRef.name=z"),
		until("endpoints", "web", "subsets[0].addresses[0].targetRef.name=z"),
	}},
	{name: "ports-change", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1")),
		ready("app=web", 1),
		sliced("web", "ports[http].port=8080 endpoints=1"),
		patch("services", "web", "spec: {ports: [{name: web, port: 81, targetPort: http}, {name: dns, port: 53, protocol: UDP, targetPort: 5353}]}"),
		sliced("web", "ports=2 ports[web].port=8080"),
		until("endpoints", "web", "subsets[0].ports=2"),
	}},
	{name: "named-ports-differ", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1")),
		create(labelled("b", "web", "192.0.2.2", 9090)),
		ready("app=web", 2),
		patch("services", "web", "spec: {ports: [{name: web, port: 80, targetPort: http}]}"),
		count("endpointslices", "kubernetes.io/service-name=web", 2, "endpoints=1"),
		until("endpoints", "web", "subsets=2"),
	}},
	{name: "labels-and-annotations-change", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1")),
		ready("app=web", 1),
		sliced("web", "metadata.labels.team=blue"),
		patch("services", "web", "metadata: {labels: {team: green}, annotations: {example.com/note: here}}"),
		sliced("web", "metadata.labels.team=green"),
		until("endpoints", "web", "metadata.labels.team=green"),
	}},
	{name: "slice-deleted", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1")),
		ready("app=web", 1),
		sliced("web", "endpoints=1"),
		removeOne("endpointslices", "kubernetes.io/service-name=web", background),
		sliced("web", "endpoints=1"),
	}},
	{name: "slice-edited", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1")),
		ready("app=web", 1),
		sliced("web", "endpoints=1"),
		editSlice("web", "endpoints: []"),
		sliced("web", "endpoints=1"),
	}},
	{name: "endpoints-deleted", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1")),
		ready("app=web", 1),
		until("endpoints", "web", "subsets[0].addresses=1"),
		remove("endpoints", "web"),
		until("endpoints", "web", "subsets[0].addresses=1"),
	}},
	{name: "service-deleted", steps: []step{
		node("n"),
		create(service("web", selectsWeb), backend("a", "192.0.2.1")),
		ready("app=web", 1),
		until("endpoints", "web", "subsets[0].addresses=1"),
		sliced("web", "endpoints=1"),
		remove("services", "web"),
		gone("endpoints", "web"),
		count("endpointslices", "kubernetes.io/service-name=web", 0),
	}},
	{name: "topology", steps: []step{
		create(service("web", selectsWeb, "trafficDistribution: PreferClose"), onNode("a", 0), onNode("b", 1), onNode("c", 2)),
		sliced("web", "endpoints=3 endpoints[0].conditions.ready=true endpoints[1].conditions.ready=true endpoints[2].conditions.ready=true"),
		until("endpoints", "web", "subsets[0].addresses=3"),
	}},
	{name: "external-name", steps: []step{
		create("apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: ExternalName, externalName: example.com}"),
		pause(stepQuiet),
		count("endpointslices", "kubernetes.io/service-name=web", 0),
	}},
	{name: "mirror", steps: []step{
		create(service("web")),
		create(custom("web", ", annotations: {example.com/note: kept}")),
		sliced("web", "endpoints=2 metadata.labels.endpointslice~kubernetes~io/managed-by=endpointslicemirroring-controller.k8s.io"),
		patch("endpoints", "web", "subsets: [{addresses: [{ip: 192.0.2.10}, {ip: 192.0.2.12}, {ip: 192.0.2.13}], ports: [{name: http, port: 8080}]}]"),
		sliced("web", "endpoints=3"),
		patch("endpoints", "web", "metadata: {labels: {own: other}}"),
		sliced("web", "metadata.labels.own=other"),
	}},
	{name: "mirror-two-families", steps: []step{
		create(service("web")),
		create(`apiVersion: v1
kind: Endpoints
metadata: {name: web}
subsets:
- addresses: [{ip: 192.0.2.10}, {ip: "2001:db8::1"}]
  notReadyAddresses: [{ip: 192.0.2.20}]
  ports: [{name: http, port: 8080}]
- addresses: [{ip: 192.0.2.30}]
  ports: [{name: http, port: 9090}]`),
		count("endpointslices", "kubernetes.io/service-name=web", 3),
	}},
	{name: "mirror-ends", steps: []step{
		create(service("web"), custom("web", "")),
		sliced("web", "endpoints=2"),
		remove("endpoints", "web"),
		count("endpointslices", "kubernetes.io/service-name=web", 0),
	}},
	{name: "mirror-opted-out", steps: []step{
		create(service("web"), custom("web", "")),
		sliced("web", "endpoints=2"),
		patch("endpoints", "web", "metadata: {labels: {endpointslice.kubernetes.io/skip-mirror: \"true\"}}"),
		count("endpointslices", "kubernetes.io/service-name=web", 0),
	}},
	{name: "mirror-until-selected", steps: []step{
		node("n"),
		create(service("web"), custom("web", "")),
		sliced("web", "endpoints=2"),
		create(backend("a", "192.0.2.1")),
		ready("app=web", 1),
		patch("services", "web", "spec: {selector: {app: web}}"),
		sliced("web", "metadata.labels.endpointslice~kubernetes~io/managed-by=endpointslice-controller.k8s.io"),
		until("endpoints", "web", "subsets[0].addresses=1"),
	}},
}

// onNode is a pod on one of kwok's nodes.
func onNode(name string, node int) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata: {name: %s, labels: {app: web}}
spec: {nodeName: node-%d, containers: [{name: c, image: "registry.k8s.io/pause:3.10"}]}`, name, node)
}
