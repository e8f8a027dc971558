package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/cmd/docking"
)

func TestCompareDocs(t *testing.T) {
	pod := func(phase string) doc {
		return doc{key: "Pod $NS/web-*", object: map[string]any{"status": map[string]any{"phase": phase}}}
	}
	for _, tc := range []struct {
		reason     string
		ours, peer []doc
		want       []string
	}{
		{"nothing", nil, nil, nil},
		{"the same in another order", []doc{pod("Running"), pod("Pending")}, []doc{pod("Pending"), pod("Running")}, nil},
		{"one too many", []doc{pod("Running"), pod("Running")}, []doc{pod("Running")}, []string{"Pod $NS/web-*: only ours has it"}},
		{"one too few", nil, []doc{pod("Running")}, []string{"Pod $NS/web-*: only the peer has it"}},
		{
			"one of two differs",
			[]doc{pod("Failed"), pod("Running")},
			[]doc{pod("Running"), pod("Pending")},
			[]string{`Pod $NS/web-*: status.phase ours "Failed", peer "Pending"`},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, compareDocs(tc.ours, tc.peer)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestCompareWrites(t *testing.T) {
	type counts = map[string]int
	both := func(ours, peer counts) round { return round{ours: ours, peer: peer, peerOnce: peer} }
	for _, tc := range []struct {
		reason string
		rounds []round
		want   []string
	}{
		{"the same", []round{both(counts{"pods create": 3}, counts{"pods create": 3})}, nil},
		{"a creation too few", []round{both(counts{"pods create": 2}, counts{"pods create": 3})}, []string{"writes pods create: ours 2, peer 3, in rounds: 1"}},
		{"a deletion that only ours makes", []round{both(counts{"pods delete": 1}, nil)}, []string{"writes pods delete: ours 1, peer 0, in rounds: 1"}},
		{"fewer updates", []round{both(counts{"replicasets/status update": 1}, counts{"replicasets/status update": 2})}, nil},
		{"more updates", []round{both(counts{"replicasets/status update": 3}, counts{"replicasets/status update": 2})}, []string{"writes replicasets/status update: ours 3, peer 2, in rounds: 1"}},
		{"more updates in one round, by chance", []round{
			both(counts{"replicasets/status update": 3}, counts{"replicasets/status update": 2}),
			both(counts{"replicasets/status update": 2}, counts{"replicasets/status update": 2}),
		}, nil},
		{"more patches in every round", []round{
			both(counts{"pods patch": 3}, counts{"pods patch": 1}),
			both(counts{"pods patch": 4}, counts{"pods patch": 2}),
		}, []string{"writes pods patch: ours 3-4, peer 1-2, in rounds: 2"}},
		{"a creation that the peer also makes by chance", []round{
			both(counts{"jobs create": 1}, nil),
			both(counts{"jobs create": 1}, counts{"jobs create": 1}),
		}, nil},
		{"a deletion that the peer repeats", []round{{counts{"pods delete": 1}, counts{"pods delete": 2}, counts{"pods delete": 1}}}, nil},
		{"a deletion that ours repeats", []round{{counts{"pods delete": 2}, counts{"pods delete": 1}, counts{"pods delete": 1}}}, []string{"writes pods delete: ours 2, peer 1, in rounds: 1"}},
		{"a deletion too few", []round{{counts{"pods delete": 1}, counts{"pods delete": 3}, counts{"pods delete": 2}}}, []string{"writes pods delete: ours 1, peer 3, in rounds: 1"}},
		{"Events are compared by what they say", []round{both(counts{"events create": 4}, counts{"events create": 3})}, nil},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, compareWrites(tc.rounds)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestEventCounts(t *testing.T) {
	c := &controller{natives: []docking.Native{{Name: "n", Guest: "deployment", Account: "a", Component: "deployment-controller"}}}
	s := &snapshot{scope: "story", events: objects(t,
		`{source: {component: deployment}, type: Normal, reason: Scaled, count: 2, message: web-7b679cb5d9 to 1, involvedObject: {kind: Deployment, name: web}}`,
		`{source: {component: deployment}, type: Normal, reason: Scaled, count: 1, message: web-6bfb5c8556 to 1, involvedObject: {kind: Deployment, name: web}}`,
		`{source: {component: deployment-controller}, type: Warning, reason: Failed, count: 9, message: refused, involvedObject: {kind: Deployment, name: web}}`,
		`{source: {component: kubelet}, type: Normal, reason: Pulled, count: 1, message: image, involvedObject: {kind: Pod, name: web}}`,
	)}
	want := map[string]int{
		`deployment-controller Normal Scaled Deployment/web "web-<template> to 1"`: 3,
		`deployment-controller Warning Failed Deployment/web "refused"`:            1,
	}
	if diff := cmp.Diff(want, eventCounts(s, c)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := compareEvents(map[string]int{"a": 1, "b": 2}, map[string]int{"b": 3}); len(got) != 2 {
		t.Errorf("two Events differ, and %q is told", got)
	}
}

func TestJudge(t *testing.T) {
	table, err := explanations([]byte("[{scenario: c/s, difference: 'Pod web:', reason: on purpose}]"))
	if err != nil {
		t.Fatal(err)
	}
	ends := func(ours, peer string) [2]map[string]bool {
		return [2]map[string]bool{{ours: true}, {peer: true}}
	}
	for _, tc := range []struct {
		reason string
		res    result
		want   string
	}{
		{"equal ends", result{name: "c/s", ended: ends("x", "x")}, verdictSame},
		{"an end that the peer showed in another round", result{name: "c/s", differences: []string{"Job a: only ours has it"}, ended: [2]map[string]bool{{"x": true}, {"x": true, "y": true}}}, verdictSame},
		{"an end that it did not show", result{name: "c/s", differences: []string{"Job a: only ours has it"}, ended: ends("x", "y")}, verdictDiffers},
		{"a difference that is explained", result{name: "c/s", differences: []string{"Pod web: phase"}, ended: ends("x", "y")}, verdictExplained},
		{"the same difference elsewhere", result{name: "c/t", differences: []string{"Pod web: phase"}, ended: ends("x", "y")}, verdictDiffers},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			tc.res.rounds = []round{{}}
			tc.res.judge(table)
			if tc.res.verdict != tc.want {
				t.Errorf("the verdict is %q, want %q", tc.res.verdict, tc.want)
			}
		})
	}
}

func TestExplanations(t *testing.T) {
	if _, err := explanations(explainedYAML); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"[{scenario: a}]", "[{scenario: a, difference: b, reason: c, more: d}]", "{"} {
		if _, err := explanations([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
