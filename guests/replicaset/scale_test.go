//go:build !wasip1

package main

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// conditionsOf is the conditions of the ReplicaSet without their times.
func conditionsOf(w *sdktest.World) []appsv1.ReplicaSetCondition {
	rs := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web")
	var out []appsv1.ReplicaSetCondition
	for _, c := range rs.Status.Conditions {
		c.LastTransitionTime = metav1.Time{}
		out = append(out, c)
	}
	return out
}

func failing(reason, message string) []appsv1.ReplicaSetCondition {
	return []appsv1.ReplicaSetCondition{{Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: reason, Message: message}}
}

func namespaceTerminating() error {
	err := apierrors.NewForbidden(podResource, "web-x", errors.New("the namespace is being terminated"))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	return err
}

// TestFailures holds what is told, remembered and returned where Pods can't be
// created or deleted.
func TestFailures(t *testing.T) {
	quota := apierrors.NewForbidden(podResource, "web-x", errors.New("exceeded quota"))
	const quotaText = `pods "web-x" is forbidden: exceeded quota`
	cases := map[string]struct {
		reason  string
		sources []string
		want    int32
		verb    abi.Verb
		err     error

		ending     string // the run's last line
		event      string // its first event, empty for none
		conditions []appsv1.ReplicaSetCondition
	}{
		"create": {
			"the API's words are in all three places",
			[]string{web},
			2, abi.VerbCreate, quota,
			"error: " + quotaText, "event Warning FailedCreate: Error creating: " + quotaText, failing("FailedCreate", quotaText),
		},
		"delete": {
			"with what was tried in front",
			[]string{web, two},
			1, abi.VerbDelete, quota,
			"error: unable to delete pods: " + quotaText, "event Warning FailedDelete: Error deleting: " + quotaText, failing("FailedDelete", "unable to delete pods: "+quotaText),
		},
		"deleted already": {
			"is neither a failure nor a success",
			[]string{web, two},
			1, abi.VerbDelete, apierrors.NewNotFound(podResource, "web-b"),
			statusLine, "", nil,
		},
		"namespace terminating": {
			"all creates fail and will, so nothing is retried or told",
			[]string{web},
			2, abi.VerbCreate, namespaceTerminating(),
			statusLine, "", nil,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, tc.sources...)
			want(tc.want)(w)
			refuse(tc.verb, tc.err)(w)
			run := w.Reconcile("default/web")
			lines := run.Lines()
			if got := lines[len(lines)-1]; got != tc.ending {
				t.Errorf("%s: it ended with %q, want %q", tc.reason, got, tc.ending)
			}
			event := ""
			for _, l := range lines {
				if event == "" && strings.HasPrefix(l, "event ") {
					event = l
				}
			}
			if event != tc.event {
				t.Errorf("%s: it told %q, want %q", tc.reason, event, tc.event)
			}
			if diff := cmp.Diff(tc.conditions, conditionsOf(w)); diff != "" {
				t.Errorf("%s: conditions (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestConditionEndsWithTheFailure holds how the condition comes, stays and goes.
func TestConditionEndsWithTheFailure(t *testing.T) {
	w := sdktest.New(t, web)
	refuse(abi.VerbCreate, errors.New("first"))(w)
	w.Reconcile("default/web")
	refuse(abi.VerbCreate, errors.New("second"))(w)
	w.Attempt = 1
	w.Reconcile("default/web")
	if diff := cmp.Diff(failing("FailedCreate", "first"), conditionsOf(w)); diff != "" {
		t.Errorf("a condition that is there stays (-want +got):\n%s", diff)
	}
	w.OnAction = nil
	w.Reconcile("default/web")
	if got := conditionsOf(w); got != nil {
		t.Errorf("it outlived its cause: %+v", got)
	}
}

// TestSlowStart holds that a quota is not run against a hundred times.
func TestSlowStart(t *testing.T) {
	const quota = 10
	w := sdktest.New(t, web)
	want(quota * 10)(w)
	tried := 0
	w.OnAction = func(a *abi.Action) *abi.Result {
		if a.Verb != abi.VerbCreate {
			return nil
		}
		if tried++; tried > quota {
			return &abi.Result{Outcome: abi.OutcomeFailed, Reason: "Forbidden", Message: "exceeded quota"}
		}
		return nil
	}
	run := w.Reconcile("default/web")
	if tried != 15 { // 1 + 2 + 4 + 8
		t.Errorf("%d creates were tried, want 15", tried)
	}
	if got := len(w.Names("Pod")); got != quota {
		t.Errorf("%d Pods, want %d", got, quota)
	}
	warnings := 0
	for i := range run.Done {
		if e := run.Done[i].Event; e != nil && e.Type == "Warning" {
			warnings++
		}
	}
	if warnings != 5 {
		t.Errorf("%d warnings, want one for each create that failed: 5", warnings)
	}
}

// TestDeletesTheCrowded holds that Pods of the same Deployment's other
// ReplicaSets count where Pods are doubled up.
func TestDeletesTheCrowded(t *testing.T) {
	w := sdktest.New(t, web, two, "testdata/siblings.yaml")
	want(1)(w)
	editSet(w, func(rs *appsv1.ReplicaSet) {
		yes := true
		rs.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: "uid-deployment", Controller: &yes}}
	})
	w.Reconcile("default/web").Want(t, "delete Pod default/web-b", "event Normal SuccessfulDelete: Deleted pod: web-b", statusLine)

	w = sdktest.New(t, web, two, "testdata/siblings.yaml")
	want(1)(w)
	run := w.Reconcile("default/web") // without a Deployment: by UID, of the same magnitude
	run.Want(t, "delete Pod default/web-a", "event Normal SuccessfulDelete: Deleted pod: web-a", statusLine)
	if len(run.Metrics) != 1 || run.Metrics[0].Name != deletionAgeRatio.Name || run.Metrics[0].Value != 1 {
		t.Errorf("reported %+v, want one ratio of 1", run.Metrics)
	}
}

// TestDeletesInOrder scales down Pods in all states.
func TestDeletesInOrder(t *testing.T) {
	w := sdktest.New(t, web, two)
	editPod(w, "web-a", func(p *corev1.Pod) { p.Annotations = map[string]string{corev1.PodDeletionCost: "-5"} })
	for i, traits := range [][]trait{
		{on(""), phase(corev1.PodPending)}, {phase(corev1.PodPending)}, {phase(corev1.PodUnknown)}, {},
	} {
		p := sdktest.Get[*corev1.Pod](w, "Pod", "default", "web-b").DeepCopy()
		p.Name, p.UID, p.Status.Conditions = "more-"+strconv.Itoa(i), uidOf(i), nil
		for _, f := range traits {
			f(p)
		}
		w.AddObjects(p)
	}
	want(1)(w)
	run := w.Reconcile("default/web")
	var got []string
	for i := range run.Done {
		if run.Done[i].Verb == abi.VerbDelete {
			got = append(got, run.Done[i].Name)
		}
	}
	if diff := cmp.Diff([]string{"more-0", "more-1", "more-2", "more-3", "web-a"}, got); diff != "" {
		t.Errorf("deleted in another order (-want +got):\n%s", diff)
	}
}

// TestResultsOfAnotherReplicaSet holds that a ReplicaSet which took a deleted
// one's name does not take its results.
func TestResultsOfAnotherReplicaSet(t *testing.T) {
	w := sdktest.New(t, web)
	w.OnAction = func(a *abi.Action) *abi.Result {
		if a.Verb == abi.VerbCreate {
			editSet(w, func(rs *appsv1.ReplicaSet) { rs.UID = "uid-new" })
			w.OnAction = nil
		}
		return nil
	}
	run := w.Reconcile("default/web")
	if len(w.Names("Pod")) != 4 || run.Err != "" {
		t.Errorf("%q", run.Lines())
	}
}
