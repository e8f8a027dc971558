package main

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// objects reads YAML documents.
func objects(t *testing.T, docs ...string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, doc := range docs {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			t.Fatal(err)
		}
		out = append(out, o)
	}
	return out
}

// A run of a ReplicaSet's story, with what differs from run to run.
func replicaSetRun(scope, hash, pod, uid, at string, ready int) []string {
	return []string{
		fmt.Sprintf(`
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  {name: web-%[2]s, namespace: %[1]s, uid: %[4]s, resourceVersion: "%[6]d", generation: %[6]d, creationTimestamp: "%[5]s", labels: {pod-template-hash: %[2]s}}
spec: {template: {metadata: {labels: {pod-template-hash: %[2]s}}}}
status: {observedGeneration: %[6]d, readyReplicas: 1}`, scope, hash, pod, uid, at, ready),
		fmt.Sprintf(`
apiVersion: v1
kind: Pod
metadata:
  name: web-%[2]s-%[3]s
  generateName: web-%[2]s-
  namespace: %[1]s
  uid: 0%[4]s
  managedFields: [{manager: %[3]s}]
  ownerReferences: [{kind: ReplicaSet, name: web-%[2]s, uid: %[4]s}]
spec: {volumes: [{name: kube-api-access-%[3]s}]}
status: {podIP: 10.128.0.%[6]d, startTime: "%[5]s"}`, scope, hash, pod, uid, at, ready),
	}
}

func TestNormalizeRemovesWhatMustDiffer(t *testing.T) {
	a := normalize(&snapshot{scope: "s-1", objects: objects(t,
		replicaSetRun("s-1", "7b679cb5d9", "abcde", "11111111-1111-1111-1111-111111111111", "2026-12-01T12:00:00Z", 3)...)})
	b := normalize(&snapshot{scope: "s-2", objects: objects(t,
		replicaSetRun("s-2", "6bfb5c8556", "vwxyz", "22222222-2222-2222-2222-222222222222", "2026-12-02T13:00:00.123456Z", 7)...)})
	if diff := compareDocs(a, b); diff != nil {
		t.Errorf("two runs of the same story differ: %q", diff)
	}
	var keys []string
	for _, d := range a {
		keys = append(keys, d.key)
	}
	if diff := cmp.Diff([]string{"Pod $NS/web-<template-1>-*", "ReplicaSet $NS/web-<template-1>"}, keys); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNormalizeKeepsWhatMatters(t *testing.T) {
	const base = `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: story, finalizers: [a]}
spec: {clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ports: [{port: 80}]}`
	for _, tc := range []struct {
		reason string
		other  string
		want   []string
	}{
		{"an address that was given", `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: story, finalizers: [a]}
spec: {clusterIP: 10.0.0.9, clusterIPs: [10.0.0.9], ports: [{port: 80}]}`, nil},
		{"no address at all", `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: story, finalizers: [a]}
spec: {clusterIP: None, clusterIPs: [None], ports: [{port: 80}]}`, []string{
			`Service $NS/web: spec.clusterIP ours "<given>", peer "None"`,
			`Service $NS/web: spec.clusterIPs ours "<given>", peer ["None"]`,
		}},
		{"a finalizer, and a port", `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: story}
spec: {clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ports: [{port: 81}]}`, []string{
			`Service $NS/web: metadata.finalizers ours ["a"], peer nothing`,
			`Service $NS/web: spec.ports[0].port ours 80, peer 81`,
		}},
		{"that it is being deleted", `
apiVersion: v1
kind: Service
metadata: {name: web, namespace: story, finalizers: [a], deletionTimestamp: "2026-12-01T12:00:00Z"}
spec: {clusterIP: 10.0.0.7, clusterIPs: [10.0.0.7], ports: [{port: 80}]}`, []string{
			`Service $NS/web: metadata.deletionTimestamp ours nothing, peer "<time>"`,
		}},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			got := compareDocs(
				normalize(&snapshot{scope: "story", objects: objects(t, base)}),
				normalize(&snapshot{scope: "story", objects: objects(t, tc.other)}))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestReplace(t *testing.T) {
	n := newNames(&snapshot{
		scope: "story", rootCA: "PEM\n",
		objects: objects(t,
			`{kind: CronJob, metadata: {name: tick, uid: 33333333-3333-3333-3333-333333333333}}`,
			`{kind: Service, metadata: {name: web}}`,
			`{kind: ReplicaSet, metadata: {name: rs-aaaa, labels: {pod-template-hash: aaaa}}, spec: {template: {image: new}}}`,
			`{kind: ReplicaSet, metadata: {name: rs-bbbb, labels: {pod-template-hash: bbbb}}, spec: {template: {image: late}}}`,
		),
		events: objects(t, `{involvedObject: {kind: Job, name: gone}}`),
	})
	for _, tc := range []struct{ from, want string }{
		{"plain", "plain"},
		{"story--b", "$NS--b"},
		{"at 2026-12-01T12:00:00+01:00", "at <time>"},
		{"33333333-3333-3333-3333-333333333333", "<uid of CronJob tick>"},
		{"44444444-3333-3333-3333-333333333333", "<uid>"},
		{"PEM\n", "<the plane's root CA>\n"},
		{"tick-29412345", "tick-<tick>"},
		{"tick-29412345-x7k2p", "tick-<tick>-*"},
		{"web-x7k2p", "web-*"},
		{"Created pod: gone-x7k2p", "Created pod: gone-*"},
		{"my-web-x7k2p", "my-web-x7k2p"},
		{"rs-aaaa-x7k2p", "rs-<template-2>-*"},
		{"rs-bbbb", "rs-<template-1>"},
		{"10.128.0.3 10.64.0.3", "<pod IP> 10.64.0.3"},
	} {
		if got := n.replace(tc.from); got != tc.want {
			t.Errorf("replace(%q) = %q, want %q", tc.from, got, tc.want)
		}
	}
}

func TestLag(t *testing.T) {
	for _, tc := range []struct{ generation, observed, want string }{
		{"3", "3", "<current>"}, {"3", "1", "<2 behind>"}, {"", "1", "1"},
	} {
		if got := lag(tc.generation, tc.observed); got != tc.want {
			t.Errorf("lag(%q, %q) = %q, want %q", tc.generation, tc.observed, got, tc.want)
		}
	}
}

func TestUnorderedLists(t *testing.T) {
	doc := func(first, second string) []doc {
		return normalize(&snapshot{scope: "story", objects: objects(t, fmt.Sprintf(
			`{kind: Node, metadata: {name: n}, spec: {taints: [{key: %s}, {key: %s}], podCIDRs: [a, b]}}`, first, second))})
	}
	if diff := compareDocs(doc("a", "b"), doc("b", "a")); diff != nil {
		t.Errorf("the order of taints counts: %q", diff)
	}
	if diff := compareDocs(doc("a", "b"), doc("a", "c")); len(diff) != 1 {
		t.Errorf("another taint gives %q", diff)
	}
}
