//go:build !wasip1

package main

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// pod adds a Pod of a ReplicaSet.
func pod(owner string, phase corev1.PodPhase) change {
	return func(w *sdktest.World) {
		yes := true
		w.AddObjects(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{
				Name: "pod-of-" + owner, Namespace: "default",
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-x", UID: types.UID(owner), Controller: &yes}},
			},
			Status: corev1.PodStatus{Phase: phase},
		})
	}
}

// leaving marks a Pod as being deleted.
func leaving(owner string) change {
	return func(w *sdktest.World) {
		sdktest.Edit(w, "Pod", "default", "pod-of-"+owner, func(p *corev1.Pod) { deleted(p) })
	}
}

// TestRecreates holds that old Pods end before new ones are begun.
func TestRecreates(t *testing.T) {
	without := func(w *sdktest.World) { w.Remove("ReplicaSet", "default", "web-new") }
	waits := []string{statusLine, "requeue after 9m1s"}
	cases := map[string]situation{
		"the first":            {reason: "all at once", sources: []string{web}, change: all(), want: lines(creates(hashed, 10), []string{statusLine, "requeue after 10m1s"})},
		"down":                 {reason: "old ones first", change: without, want: lines(updates("web-old", "down", 10, 0), []string{statusLine, "requeue after 1ns"})},
		"old ones are counted": {reason: "the ReplicaSet says that it has Pods", change: all(without, sized("web-old", 0, 0), editSet("web-old", func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 1 })), want: waits},
		"old ones run":         {reason: "the cache has a Pod", change: all(without, sized("web-old", 0, 0), pod("uid-old", corev1.PodRunning)), want: waits},
		"old ones terminate":   {reason: "a Pod that is being deleted still runs", change: all(without, sized("web-old", 0, 0), pod("uid-old", corev1.PodRunning), leaving("uid-old")), want: waits},
		"nobody knows":         {reason: "a Pod on a lost node may still run", change: all(without, sized("web-old", 0, 0), pod("uid-old", corev1.PodUnknown)), want: waits},
		"old ones have ended":  {reason: "what remains of them does not count", change: all(without, sized("web-old", 0, 0), pod("uid-old", corev1.PodSucceeded)), want: lines(creates(hashed, 10), []string{statusLine, "requeue after 10m1s"})},
		"old ones have failed": {reason: "nor does this", change: all(without, sized("web-old", 0, 0), pod("uid-old", corev1.PodFailed)), want: lines(creates(hashed, 10), []string{statusLine, "requeue after 10m1s"})},
		"other's Pods":         {reason: "are nothing to wait for", change: all(without, sized("web-old", 0, 0), pod("uid-other", corev1.PodRunning)), want: lines(creates(hashed, 10), []string{statusLine, "requeue after 10m1s"})},
		"up":                   {reason: "the template was rolled out before", change: all(sized("web-old", 0, 0), sized("web-new", 0, 0)), want: lines(updates("web-new", "up", 0, 10), []string{statusLine, "requeue after 1ns"})},
		"new ones run":         {reason: "they are not in the way", change: all(sized("web-old", 0, 0), sized("web-new", 0, 0), pod("uid-new", corev1.PodRunning)), want: lines(updates("web-new", "up", 0, 10), []string{statusLine, "requeue after 1ns"})},
		"back down":            {reason: "somebody else scaled the new one up", change: all(sized("web-old", 0, 0), sized("web-new", 12, 12)), want: lines(updates("web-new", "down", 12, 10), []string{statusLine, "requeue after 1ns"})},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if tc.sources == nil {
				tc.sources = []string{web, newer, old}
				tc.change = all(underway, observed, tc.change)
			}
			tc.change = all(recreating, tc.change)
			tc.run(t)
		})
	}
}

// observed gives the Deployment a status that shows no progress to be made.
var observed = editDeployment(func(d *appsv1.Deployment) {
	d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.ReadyReplicas, d.Status.AvailableReplicas = 10, 10, 10, 10
})
