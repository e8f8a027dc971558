//go:build !wasip1

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// TestCounts holds the numbers in the status.
func TestCounts(t *testing.T) {
	counts := func(replicas, updated, ready, available, unavailable int32, terminating *int32) appsv1.DeploymentStatus {
		return appsv1.DeploymentStatus{
			ObservedGeneration: 1, Replicas: replicas, UpdatedReplicas: updated, ReadyReplicas: ready,
			AvailableReplicas: available, UnavailableReplicas: unavailable, TerminatingReplicas: terminating,
		}
	}
	terminating := func(name string, n *int32) change {
		return editSet(name, func(rs *appsv1.ReplicaSet) { rs.Status.TerminatingReplicas = n })
	}
	cases := map[string]struct {
		reason string
		change change
		config string
		want   appsv1.DeploymentStatus
	}{
		"half-way":         {"both count", all(sized("web-old", 8, 8), sized("web-new", 5, 0)), "", counts(13, 5, 8, 8, 5, new(int32(0)))},
		"ready":            {"is not yet available", all(sized("web-old", 8, 8), sized("web-new", 5, 0), editSet("web-new", func(rs *appsv1.ReplicaSet) { rs.Status.ReadyReplicas = 5 })), "", counts(13, 5, 13, 8, 5, new(int32(0)))},
		"more than wanted": {"is not a negative number of unavailable ones", all(sized("web-old", 0, 3), editSet("web-old", func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 3 })), "", counts(13, 10, 13, 13, 0, new(int32(0)))},
		"terminating":      {"those of all", all(sized("web-old", 8, 8), sized("web-new", 5, 0), terminating("web-old", new(int32(3))), terminating("web-new", new(int32(1)))), "", counts(13, 5, 8, 8, 5, new(int32(4)))},
		"terminating unknown": {
			"one does not tell", all(sized("web-old", 8, 8), sized("web-new", 5, 0), terminating("web-old", nil)), "", counts(13, 5, 8, 8, 5, nil),
		},
		"not looked at": {
			"one can't tell yet", all(sized("web-old", 8, 8), sized("web-new", 5, 0), terminating("web-new", nil), editSet("web-new", func(rs *appsv1.ReplicaSet) {
				rs.Status.ObservedGeneration = 0
			})), "", counts(13, 5, 8, 8, 5, new(int32(0))),
		},
		"terminating unwanted": {"the operator says so", all(sized("web-old", 8, 8), sized("web-new", 5, 0)), `{"terminatingReplicas": false}`, counts(13, 5, 8, 8, 5, nil)},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			w.Config = tc.config
			all(settled, tc.change)(w)
			w.Reconcile("default/web")
			if diff := cmp.Diff(tc.want, deploymentOf(w).Status, cmpopts.IgnoreFields(appsv1.DeploymentStatus{}, "Conditions")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestAvailable holds when enough Pods are available.
func TestAvailable(t *testing.T) {
	cases := map[string]struct {
		reason    string
		change    change
		available corev1.ConditionStatus
	}{
		"all":               {"ten of ten", all(), corev1.ConditionTrue},
		"just enough":       {"two may be missing", sized("web-new", 10, 8), corev1.ConditionTrue},
		"one too few":       {"three are missing", sized("web-new", 10, 7), corev1.ConditionFalse},
		"old ones count":    {"seven and one", all(sized("web-old", 1, 1), sized("web-new", 10, 7)), corev1.ConditionTrue},
		"recreated":         {"none may be missing", all(recreating, sized("web-new", 10, 9)), corev1.ConditionFalse},
		"recreated, all":    {"none is missing", recreating, corev1.ConditionTrue},
		"none wanted":       {"none is missing", all(wants(0), sized("web-new", 0, 0)), corev1.ConditionTrue},
		"all may be absent": {"more than there are", all(limits(0, 20), sized("web-new", 10, 0)), corev1.ConditionTrue},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			all(sized("web-old", 0, 0), underway, tc.change)(w)
			w.Reconcile("default/web")
			want := appsv1.DeploymentCondition{
				Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "MinimumReplicasAvailable",
				Message: "Deployment has minimum availability.", LastUpdateTime: metav1.NewTime(w.Now), LastTransitionTime: metav1.NewTime(w.Now),
			}
			if tc.available == corev1.ConditionFalse {
				want.Status, want.Reason, want.Message = corev1.ConditionFalse, "MinimumReplicasUnavailable", "Deployment does not have minimum availability."
			}
			if diff := cmp.Diff(want, conditionOf(w, appsv1.DeploymentAvailable), sameTimes); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// sameTimes compares times whatever their zones.
var sameTimes = cmp.Comparer(func(a, b metav1.Time) bool { return a.Equal(&b) })

// TestReplicaFailure holds how failures of ReplicaSets are passed on.
func TestReplicaFailure(t *testing.T) {
	failing := func(name, message string) change {
		return func(w *sdktest.World) {
			editSet(name, func(rs *appsv1.ReplicaSet) {
				rs.Status.Conditions = []appsv1.ReplicaSetCondition{{
					Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: message,
					LastTransitionTime: metav1.NewTime(w.Now.Add(-time.Hour)),
				}}
			})(w)
		}
	}
	told := func(w *sdktest.World) {
		editDeployment(func(d *appsv1.Deployment) {
			d.Status.Conditions = append(d.Status.Conditions, condition(w, appsv1.DeploymentReplicaFailure, corev1.ConditionTrue, "FailedCreate", time.Hour))
		})(w)
	}
	cases := map[string]struct {
		reason string
		change change
		want   string // the message
	}{
		"none":        {"all is well", all(), ""},
		"the new one": {"it is passed on", failing("web-new", "over quota"), "over quota"},
		"the old one": {"it is passed on", failing("web-old", "over quota"), "over quota"},
		"both":        {"the new one's is of more interest", all(failing("web-old", "old"), failing("web-new", "new")), "new"},
		"told before": {"what was told stays", all(failing("web-new", "over quota"), told), "before"},
		"over":        {"it is taken away", told, ""},
		"other things": {"are not passed on", editSet("web-new", func(rs *appsv1.ReplicaSet) {
			rs.Status.Conditions = []appsv1.ReplicaSetCondition{{Type: "Odd", Status: "True"}}
		}), ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			all(sized("web-old", 0, 0), settled, tc.change)(w)
			w.Reconcile("default/web")
			c := conditionOf(w, appsv1.DeploymentReplicaFailure)
			if c.Message != tc.want {
				t.Errorf("%s: the condition is %+v", tc.reason, c)
			}
			if ago := w.Now.Sub(c.LastUpdateTime.Time); c.Type != "" && (ago != time.Hour || !c.LastUpdateTime.Equal(&c.LastTransitionTime)) {
				t.Errorf("%s: the times are not the ReplicaSet's: %+v", tc.reason, c)
			}
		})
	}
}

// TestStatusConflict holds that a failure to write it is retried.
func TestStatusConflict(t *testing.T) {
	w := sdktest.New(t, web, newer)
	w.OnAction = func(a *abi.Action) *abi.Result {
		r := sdktest.Failure(apierrors.NewConflict(schema.GroupResource{}, "web", nil))
		return &r
	}
	if run := w.Reconcile("default/web"); len(run.Done) != 1 || run.Done[0].Result.Outcome != abi.OutcomeFailed {
		t.Errorf("it did %v", run.Lines())
	}
	w.OnAction = nil
	w.Reconcile("default/web").Want(t, statusLine)
	w.Reconcile("default/web").Want(t)
}
