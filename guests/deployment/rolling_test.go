//go:build !wasip1

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
	viewapps "github.com/loopdock/loopdock/sdk-go/view/appsv1"
)

// limits sets how far a rolling update may go.
func limits(surge, unavailable int32) change {
	return editDeployment(func(d *appsv1.Deployment) {
		s, u := intstr.FromInt32(surge), intstr.FromInt32(unavailable)
		d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: &s, MaxUnavailable: &u}
	})
}

// TestRolls holds each step of a rolling update.
func TestRolls(t *testing.T) {
	type pods struct{ wanted, available int32 }
	cases := map[string]struct {
		reason             string
		surge, unavailable int32
		old, updated       pods
		want               []string
	}{
		"up by the surge":       {"three more than the ten are allowed", 3, 2, pods{10, 10}, pods{0, 0}, lines(updates("web-new", "up", 0, 3), again)},
		"up to the number":      {"not beyond what the Deployment wants", 30, 2, pods{1, 1}, pods{7, 7}, lines(updates("web-new", "up", 7, 10), again)},
		"up before down":        {"the old ones are looked at in the next round", 3, 2, pods{8, 8}, pods{4, 4}, lines(updates("web-new", "up", 4, 5), again)},
		"down by two":           {"two may be unavailable, and the new three are not yet available", 3, 2, pods{10, 10}, pods{3, 0}, lines(updates("web-old", "down", 10, 8), again)},
		"down by five":          {"three new ones are available", 3, 2, pods{10, 10}, pods{3, 3}, lines(updates("web-old", "down", 10, 5), again)},
		"down to none":          {"all new ones are available", 3, 2, pods{3, 3}, pods{10, 10}, lines(updates("web-old", "down", 3, 0), again)},
		"not below the minimum": {"eight have to stay, and eight are available", 3, 2, pods{8, 8}, pods{5, 0}, []string{statusLine, "requeue after 10m1s"}},
		"none may be missing":   {"the old ones wait for the new", 3, 0, pods{10, 10}, pods{3, 0}, []string{statusLine, "requeue after 10m1s"}},
		"one by one":            {"as new ones become available", 1, 0, pods{10, 10}, pods{1, 1}, lines(updates("web-old", "down", 10, 9), again)},
		"without a surge":       {"old ones go before there is room", 0, 2, pods{10, 10}, pods{0, 0}, lines(updates("web-old", "down", 10, 8), again)},
		"broken ones go first":  {"those that are not available are missed by nobody", 3, 2, pods{10, 8}, pods{3, 0}, lines(updates("web-old", "down", 10, 8), again)},
		"broken ones, and more": {"two are broken; of the others as many as can be spared", 3, 2, pods{10, 8}, pods{3, 2}, lines(updates("web-old", "down", 10, 8), updates("web-old", "down", 8, 6), again)},
		"too many new ones":     {"what somebody else scaled up is scaled back", 3, 2, pods{0, 0}, pods{12, 12}, lines(updates("web-new", "down", 12, 10), again)},
		"status lags":           {"more available than wanted: it is being scaled down already", 3, 2, pods{5, 7}, pods{8, 8}, []string{statusLine, "requeue after 10m1s"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			situation{tc.reason, []string{web, newer, old}, all(
				underway, limits(tc.surge, tc.unavailable),
				sized("web-old", tc.old.wanted, tc.old.available), sized("web-new", tc.updated.wanted, tc.updated.available),
			), tc.want}.run(t)
		})
	}
}

// TestOldestGoFirst holds the order in which old ReplicaSets are scaled down.
func TestOldestGoFirst(t *testing.T) {
	older := func(rs *appsv1.ReplicaSet) { rs.CreationTimestamp.Time = rs.CreationTimestamp.Add(-1) }
	oldest := func(rs *appsv1.ReplicaSet) { rs.CreationTimestamp.Time = rs.CreationTimestamp.Add(-3600e9) }
	cases := map[string]situation{
		"available": {
			reason:  "both have what can be spared; the oldest gives it",
			sources: []string{web, newer, old},
			change:  all(underway, sized("web-new", 5, 5), sized("web-old", 4, 4), addSet("web-a", oldest), sized("web-a", 4, 4)),
			want:    lines(updates("web-a", "down", 4, 0), updates("web-old", "down", 4, 3), again),
		},
		"same second": {
			reason:  "names decide",
			sources: []string{web, newer, old},
			change:  all(underway, sized("web-new", 5, 5), sized("web-old", 4, 4), addSet("web-z", func(*appsv1.ReplicaSet) {}), sized("web-z", 4, 4)),
			want:    lines(updates("web-old", "down", 4, 0), updates("web-z", "down", 4, 3), again),
		},
		"broken": {
			reason:  "of the younger one, too, before available ones of the older",
			sources: []string{web, newer, old},
			change:  all(underway, sized("web-new", 5, 5), sized("web-old", 4, 2), addSet("web-a", older), sized("web-a", 4, 4)),
			want:    lines(updates("web-old", "down", 4, 2), updates("web-a", "down", 4, 1), again),
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestTheWholeWay rolls out, with Pods that become available at once.
func TestTheWholeWay(t *testing.T) {
	w := sdktest.New(t, web, newer, old)
	sized("web-new", 0, 0)(w)
	var got [][2]int32
	for range 20 {
		w.Reconcile("default/web")
		now := [2]int32{*setOf(w, "web-old").Spec.Replicas, *setOf(w, "web-new").Spec.Replicas}
		if len(got) > 0 && got[len(got)-1] == now {
			break
		}
		got = append(got, now)
		sized("web-old", now[0], now[0])(w)
		sized("web-new", now[1], now[1])(w)
	}
	want := [][2]int32{{10, 3}, {5, 3}, {5, 8}, {0, 8}, {0, 10}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("old and new (-want +got):\n%s", diff)
	}
	w.Reconcile("default/web")
	w.Reconcile("default/web").Want(t)
	if c := conditionOf(w, appsv1.DeploymentProgressing); c.Reason != reasonComplete || c.Message != `ReplicaSet "web-new" has successfully progressed.` {
		t.Errorf("in the end the conditions are %+v", c)
	}
}

// TestFenceposts holds how percentages are rounded.
func TestFenceposts(t *testing.T) {
	cases := map[string]struct {
		surge, unavailable         string
		replicas                   int32
		wantSurge, wantUnavailable int32
	}{
		"numbers":              {"3", "2", 10, 3, 2},
		"surge is rounded up":  {"25%", "0", 10, 3, 0},
		"the other is not":     {"0", "25%", 10, 0, 2},
		"both":                 {"25%", "25%", 1, 1, 0},
		"one has to go":        {"0%", "1%", 2, 0, 1},
		"zero and zero":        {"0", "0", 10, 0, 1},
		"more than there are":  {"0", "20", 10, 0, 10},
		"none wanted":          {"1", "1", 0, 1, 0},
		"percent of none":      {"25%", "25%", 0, 0, 0},
		"nonsense is as zero":  {"a", "b", 10, 0, 1},
		"beyond the whole":     {"200%", "100%", 3, 6, 3},
		"just above a percent": {"34%", "67%", 3, 2, 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s, u := intstr.Parse(tc.surge), intstr.Parse(tc.unavailable)
			body, err := (&appsv1.RollingUpdateDeployment{MaxSurge: &s, MaxUnavailable: &u}).Marshal()
			if err != nil {
				t.Fatal(err)
			}
			surge, unavailable := fenceposts(viewapps.RollingUpdateDeployment(body), tc.replicas)
			if surge != tc.wantSurge || unavailable != tc.wantUnavailable {
				t.Errorf("surge %d, unavailable %d, want %d and %d", surge, unavailable, tc.wantSurge, tc.wantUnavailable)
			}
		})
	}
}
