//go:build !wasip1

package main

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// TestLeavesAlone holds where no ReplicaSet is touched.
func TestLeavesAlone(t *testing.T) {
	cases := map[string]situation{
		"gone": {
			reason: "there is nothing to do for a Deployment that is no more",
		},
		"all done": {
			reason:  "nothing differs",
			sources: []string{web, newer, old},
			change:  all(sized("web-old", 0, 0), settled),
		},
		"being deleted": {
			reason:  "only the status is kept up to date",
			sources: []string{web, newer, old},
			change: all(sized("web-new", 0, 0), paused, editDeployment(func(d *appsv1.Deployment) { deleted(d) }), editSet("web-old", func(rs *appsv1.ReplicaSet) {
				rs.Labels = nil
			})),
			want: []string{statusLine},
		},
		"selects all": {
			reason:  "an empty selector is a mistake",
			sources: []string{web, newer},
			change:  editDeployment(func(d *appsv1.Deployment) { d.Spec.Selector = &metav1.LabelSelector{} }),
			want:    []string{"event Warning SelectingAll: This deployment is selecting all pods. A non-empty selector is required.", statusLine},
		},
		"selects all, told before": {
			reason:  "the status says that it was seen",
			sources: []string{web, newer},
			change:  editDeployment(func(d *appsv1.Deployment) { d.Spec.Selector, d.Status.ObservedGeneration = &metav1.LabelSelector{}, 1 }),
			want:    []string{"event Warning SelectingAll: This deployment is selecting all pods. A non-empty selector is required."},
		},
		"bad selector": {
			reason:  "what can't be fixed by retrying is not retried",
			sources: []string{web, newer},
			change: editDeployment(func(d *appsv1.Deployment) {
				d.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Like"}}}
			}),
			want: []string{"terminal error: deployment default/web has invalid label selector: a label selector has an unknown operator: Like"},
		},
		"unknown strategy": {
			reason:  "nor is this",
			sources: []string{web, newer},
			change:  editDeployment(func(d *appsv1.Deployment) { d.Spec.Strategy = appsv1.DeploymentStrategy{Type: "BlueGreen"} }),
			want:    []string{"terminal error: unexpected deployment strategy type: BlueGreen"},
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestDeletedKeepsItsStatus holds that the status of a Deployment that is being
// deleted follows its ReplicaSets, and that it is not marked as paused.
func TestDeletedKeepsItsStatus(t *testing.T) {
	w := sdktest.New(t, web, newer)
	all(paused, sized("web-new", 4, 3), editDeployment(func(d *appsv1.Deployment) { deleted(d) }))(w)
	w.Reconcile("default/web")
	s := deploymentOf(w).Status
	if s.Replicas != 4 || s.AvailableReplicas != 3 || s.UnavailableReplicas != 1 {
		t.Errorf("the status is %+v", s)
	}
	if c := s.Conditions; len(c) != 2 || c[1].Reason != reasonAvailable && c[0].Reason != reasonFound {
		t.Errorf("the conditions are %+v", c)
	}
}

// TestContinuesWithAnother holds that a Deployment of the same name that was
// created meanwhile does not go on where the former one was.
func TestContinuesWithAnother(t *testing.T) {
	s := step{kind: stepCreated, uid: "u", name: "web-new", replicas: 3}
	if got := decodeStep(s.encode(), "u"); got != s {
		t.Errorf("got %+v, want %+v", got, s)
	}
	for _, b := range [][]byte{nil, s.encode()} {
		if got := decodeStep(b, "other"); got != (step{}) {
			t.Errorf("another Deployment continues with %+v", got)
		}
	}
}
