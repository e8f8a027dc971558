//go:build !wasip1

package main

import (
	"errors"
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

// hashed is the name of the ReplicaSet of the fixture's template.
const hashed = "web-cd6f8755f"

// creates are the lines of a new ReplicaSet.
func creates(name string, n int32) []string {
	return []string{"create ReplicaSet default/" + name, "event Normal ScalingReplicaSet: " + scalingMessage("up", name, 0, n)}
}

// TestCreates holds with how many Pods a template is begun.
func TestCreates(t *testing.T) {
	surged := "event Normal ScalingReplicaSet: " + scalingMessage("up", hashed, 0, 3)
	cases := map[string]situation{
		"the first": {
			reason:  "all Pods at once",
			sources: []string{web},
			want:    lines(creates(hashed, 10), []string{statusLine, "requeue after 10m1s"}),
		},
		"the next": {
			reason:  "as many as the surge allows; two old ones can go at once",
			sources: []string{web, old},
			want:    lines([]string{"create ReplicaSet default/" + hashed, surged, statusLine}, updates("web-old", "down", 10, 8), again),
		},
		"no room": {
			reason:  "it begins with none, of which nothing is to be told",
			sources: []string{web, old},
			change:  sized("web-old", 13, 8),
			want:    lines([]string{"create ReplicaSet default/" + hashed, statusLine}, updates("web-old", "down", 13, 8), again),
		},
		"none wanted": {
			reason:  "it is created all the same",
			sources: []string{web},
			change:  wants(0),
			want:    []string{"create ReplicaSet default/" + hashed, statusLine},
		},
		"paused": {
			reason:  "nothing is begun",
			sources: []string{web},
			change:  paused,
			want:    []string{statusLine},
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestReplicaSetIsMadeOfTheTemplate looks at the body of a create.
func TestReplicaSetIsMadeOfTheTemplate(t *testing.T) {
	w := sdktest.New(t, web, old)
	settled(w)
	d := deploymentOf(w)
	run := w.Reconcile("default/web")
	yes, three := true, int32(3)
	hash := strings.TrimPrefix(hashed, "web-")
	labels := map[string]string{"app": "web", "tier": "front", "pod-template-hash": hash}
	template := *d.Spec.Template.DeepCopy()
	template.Labels = labels
	want := &appsv1.ReplicaSet{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"},
		ObjectMeta: metav1.ObjectMeta{
			Name: hashed, Namespace: "default", Labels: labels,
			Annotations: map[string]string{"note": "copied", revisionAnnotation: "2", desiredAnnotation: "10", maxAnnotation: "13"},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: "uid-web", Controller: &yes, BlockOwnerDeletion: &yes,
			}},
		},
		Spec: appsv1.ReplicaSetSpec{
			Replicas: &three, MinReadySeconds: 5, Template: template,
			Selector: &metav1.LabelSelector{
				MatchLabels:      map[string]string{"app": "web", "pod-template-hash": hash},
				MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Exists"}},
			},
		},
	}
	if diff := cmp.Diff(want, sdktest.Body[*appsv1.ReplicaSet](t, &run.Done[0])); diff != "" {
		t.Errorf("the ReplicaSet is another (-want +got):\n%s", diff)
	}
	got := deploymentOf(w)
	if got.Annotations[revisionAnnotation] != "2" {
		t.Errorf("the Deployment's annotations are %v", got.Annotations)
	}
	if c := conditionOf(w, appsv1.DeploymentProgressing); c.Reason != reasonNewReplicaSet || c.Message != `Created new replica set "`+hashed+`"` || c.Status != corev1.ConditionTrue {
		t.Errorf("the condition is %+v", c)
	}
}

// TestCreateFails holds what is told of a failure, and that it is retried.
func TestCreateFails(t *testing.T) {
	forbidden := apierrors.NewForbidden(setResource, hashed, errors.New("over quota"))
	text := `replicasets.apps "` + hashed + `" is forbidden: over quota`
	failed := "create ReplicaSet default/" + hashed + ": Forbidden: " + text
	event := `event Warning ReplicaSetCreateError: Failed to create new replica set "` + hashed + `": ` + text
	terminating := apierrors.NewForbidden(setResource, hashed, errors.New("no"))
	terminating.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
	cases := map[string]situation{
		"quota": {
			reason:  "the status says so, and an Event",
			sources: []string{web},
			change:  refuse(abi.VerbCreate, forbidden),
			want:    []string{failed, statusLine, event, "error: " + text},
		},
		"without a deadline": {
			reason:  "there is no condition about progress then",
			sources: []string{web},
			change:  all(unlimited, refuse(abi.VerbCreate, forbidden)),
			want:    []string{failed, event, "error: " + text},
		},
		"told before": {
			reason:  "the status is as it should be",
			sources: []string{web},
			change:  all(refuse(abi.VerbCreate, forbidden), progress(corev1.ConditionFalse, reasonCreateError, 0)),
			want:    []string{failed, event, "error: " + text},
		},
		"terminating namespace": {
			reason:  "neither retrying nor telling is of use",
			sources: []string{web},
			change:  refuse(abi.VerbCreate, terminating),
			want:    []string{"create ReplicaSet default/" + hashed + `: Forbidden: replicasets.apps "` + hashed + `" is forbidden: no`},
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestCollision holds what becomes of a name that is taken.
func TestCollision(t *testing.T) {
	taken := func(f func(*appsv1.ReplicaSet)) change {
		return func(w *sdktest.World) {
			rs := setOf(w, "web-new").DeepCopy()
			w.Remove("ReplicaSet", "default", "web-new")
			rs.Name = hashed
			f(rs)
			w.AddObjects(rs)
		}
	}
	exists := `create ReplicaSet default/` + hashed
	message := `error: replicasets.apps "` + hashed + `" already exists`
	cases := map[string]struct {
		reason string
		change change
		want   []string
		count  int32
	}{
		"another template": {
			"its own, but somebody changed it: the next attempt has another name",
			taken(func(rs *appsv1.ReplicaSet) { rs.Spec.Template.Spec.Containers[0].Image = "web:3" }),
			[]string{exists, statusLine, message},
			1,
		},
		"another's": {
			"even of the same template",
			taken(func(rs *appsv1.ReplicaSet) { rs.OwnerReferences[0].UID = "uid-other" }),
			[]string{exists, statusLine, message},
			1,
		},
		"not in the cache": {
			"it may be its own: look again",
			func(w *sdktest.World) {
				w.Remove("ReplicaSet", "default", "web-new")
				refuse(abi.VerbCreate, apierrors.NewAlreadyExists(setResource, hashed))(w)
			},
			[]string{exists, "error: cannot read ReplicaSet default/" + hashed + ": not found"},
			0,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer)
			tc.change(w)
			if diff := cmp.Diff(tc.want, w.Reconcile("default/web").Lines()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			count := deploymentOf(w).Status.CollisionCount
			if got := count != nil && *count == tc.count; got != (tc.count > 0) {
				t.Errorf("%s: the collision count is %v", tc.reason, count)
			}
			if tc.count > 0 {
				run := w.Reconcile("default/web")
				if name := run.Done[0].Result.Name; name == hashed || !strings.HasPrefix(name, "web-") || run.Err != "" {
					t.Errorf("%s: the next attempt did %v", tc.reason, run.Lines())
				}
			}
		})
	}
}

// TestTemplateChangesMeanwhile holds that a ReplicaSet which is no longer the
// right one when it has been created is told of, and replaced.
func TestTemplateChangesMeanwhile(t *testing.T) {
	w := sdktest.New(t, web)
	w.OnAction = func(a *abi.Action) *abi.Result {
		if a.Verb == abi.VerbCreate && a.Name == hashed {
			editDeployment(func(d *appsv1.Deployment) { d.Spec.Template.Spec.Containers[0].Image = "web:3" })(w)
		}
		return nil
	}
	run := w.Reconcile("default/web")
	second := run.Done[2].Result.Name
	run.Want(t, lines(creates(hashed, 10), creates(second, 3)[:1], []string{"event Normal ScalingReplicaSet: " + scalingMessage("up", second, 0, 3)},
		[]string{statusLine}, updates(hashed, "down", 10, 8), again)...)
	if c := conditionOf(w, appsv1.DeploymentProgressing); c.Message != `Created new replica set "`+second+`"` {
		t.Errorf("the condition is %+v", c)
	}
}

// TestLongNames holds that a name is cut and not refused.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("a", 253)
	if got := replicaSetName(long, "12345"); len(got) != 253 || got != long[:247]+"-12345" {
		t.Errorf("the name is %q", got)
	}
	if got := replicaSetName("web", "12345"); got != "web-12345" {
		t.Errorf("the name is %q", got)
	}
}
