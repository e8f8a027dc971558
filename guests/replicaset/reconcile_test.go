//go:build !wasip1

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// Fixtures: a ReplicaSet that wants two Pods, these Pods, and one without a controller.
const (
	web    = "testdata/web.yaml"
	two    = "testdata/pods.yaml"
	orphan = "testdata/orphan.yaml"
)

const statusLine = "update ReplicaSet/status default/web"

// editSet and editPod change a fixture.
func editSet(w *sdktest.World, f func(*appsv1.ReplicaSet)) {
	sdktest.Edit(w, "ReplicaSet", "default", "web", f)
}

func editPod(w *sdktest.World, name string, f func(*corev1.Pod)) {
	sdktest.Edit(w, "Pod", "default", name, f)
}

func want(n int32) func(*sdktest.World) {
	return func(w *sdktest.World) { editSet(w, func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = &n }) }
}

// deleted marks an object as being deleted.
func deleted(m metav1.Object) {
	t := metav1.Unix(1_767_300_000, 0)
	m.SetDeletionTimestamp(&t)
	m.SetFinalizers([]string{"example.com/hold"})
}

// situation is what a ReplicaSet finds, and what it then does.
type situation struct {
	reason  string
	sources []string
	change  func(w *sdktest.World)
	want    []string
}

// run looks at the ReplicaSet once.
func (s situation) run(t *testing.T) {
	t.Helper()
	w := sdktest.New(t, s.sources...)
	if s.change != nil {
		s.change(w)
	}
	if diff := cmp.Diff(s.want, w.Reconcile("default/web").Lines()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", s.reason, diff)
	}
}

// TestScales holds how many Pods come and go.
func TestScales(t *testing.T) {
	cases := map[string]situation{
		"enough": {
			reason:  "two of two: only the status is new",
			sources: []string{web, two},
			want:    []string{statusLine},
		},
		"too few": {
			reason:  "both are created, and told of by the names that were drawn",
			sources: []string{web},
			want: []string{
				"create Pod default/web-1", "create Pod default/web-2",
				"event Normal SuccessfulCreate: Created pod: web-1", "event Normal SuccessfulCreate: Created pod: web-2",
				statusLine,
			},
		},
		"one missing": {
			reason:  "only what is missing is created",
			sources: []string{web, two},
			change:  want(3),
			want:    []string{"create Pod default/web-1", "event Normal SuccessfulCreate: Created pod: web-1", statusLine},
		},
		"too many": {
			reason:  "the one that is not ready goes",
			sources: []string{web, two},
			change: func(w *sdktest.World) {
				want(1)(w)
				editPod(w, "web-b", func(p *corev1.Pod) { p.Status.Conditions = nil })
			},
			want: []string{"delete Pod default/web-b", "event Normal SuccessfulDelete: Deleted pod: web-b", statusLine},
		},
		"none wanted": {
			reason:  "all go",
			sources: []string{web, two},
			change:  want(0),
			want: []string{
				"delete Pod default/web-a", "delete Pod default/web-b",
				"event Normal SuccessfulDelete: Deleted pod: web-a", "event Normal SuccessfulDelete: Deleted pod: web-b",
				statusLine,
			},
		},
		"replicas absent": {
			reason:  "an absent number means one",
			sources: []string{web},
			change:  func(w *sdktest.World) { editSet(w, func(rs *appsv1.ReplicaSet) { rs.Spec.Replicas = nil }) },
			want:    []string{"create Pod default/web-1", "event Normal SuccessfulCreate: Created pod: web-1", statusLine},
		},
		"ended pods": {
			reason:  "Pods that have failed or succeeded are replaced, not deleted",
			sources: []string{web, two},
			change: func(w *sdktest.World) {
				editPod(w, "web-a", func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed })
				editPod(w, "web-b", func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })
			},
			want: []string{
				"create Pod default/web-1", "create Pod default/web-2",
				"event Normal SuccessfulCreate: Created pod: web-1", "event Normal SuccessfulCreate: Created pod: web-2",
				statusLine,
			},
		},
		"terminating pod": {
			reason:  "a Pod that is being deleted is replaced at once",
			sources: []string{web, two},
			change:  func(w *sdktest.World) { editPod(w, "web-a", func(p *corev1.Pod) { deleted(p) }) },
			want:    []string{"create Pod default/web-1", "event Normal SuccessfulCreate: Created pod: web-1", statusLine},
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestLeavesAlone holds where nothing is created, deleted or claimed.
func TestLeavesAlone(t *testing.T) {
	cases := map[string]situation{
		"gone": {
			reason: "there is nothing to do for a ReplicaSet that is no more",
		},
		"being deleted": {
			reason:  "a ReplicaSet that is being deleted creates, adopts and releases nothing",
			sources: []string{web, two, orphan},
			change: func(w *sdktest.World) {
				want(5)(w)
				editSet(w, func(rs *appsv1.ReplicaSet) { deleted(rs) })
				editPod(w, "web-a", func(p *corev1.Pod) { p.Labels = nil })
			},
			want: []string{statusLine},
		},
		"bad selector": {
			reason:  "what can't be fixed by retrying is not retried",
			sources: []string{web, two},
			change: func(w *sdktest.World) {
				editSet(w, func(rs *appsv1.ReplicaSet) {
					rs.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Like"}}}
				})
			},
		},
		"no labels": {
			reason:  "a template without labels makes no Pods",
			sources: []string{web},
			change: func(w *sdktest.World) {
				editSet(w, func(rs *appsv1.ReplicaSet) { rs.Spec.Template.Labels = nil })
			},
			want: []string{statusLine, "error: unable to create pods, no labels"},
		},
	}
	for name, tc := range cases {
		t.Run(name, tc.run)
	}
}

// TestSettles holds that a second look changes nothing, and the third neither.
func TestSettles(t *testing.T) {
	w := sdktest.New(t, web)
	w.Reconcile("default/web")
	w.Reconcile("default/web").Want(t)
	if rs := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web"); rs.Status.Replicas != 2 || rs.Status.ObservedGeneration != 1 {
		t.Errorf("the status is %+v", rs.Status)
	}
	w.Remove("Pod", "default", "web-1")
	w.Reconcile("default/web").Want(t, "create Pod default/web-3", "event Normal SuccessfulCreate: Created pod: web-3")
}

// TestLargeChangesComeInPortions holds the limit of one reconcile.
func TestLargeChangesComeInPortions(t *testing.T) {
	w := sdktest.New(t, web)
	want(burst + 20)(w)
	run := w.Reconcile("default/web")
	if got := len(w.Names("Pod")); got != burst || run.RequeueAfter != 1 {
		t.Errorf("%d Pods and a requeue after %v, want %d at first, and another look at once", got, run.RequeueAfter, burst)
	}
	if run = w.Reconcile("default/web"); len(w.Names("Pod")) != burst+20 || run.RequeueAfter != 0 {
		t.Errorf("%d Pods after the second portion, requeue after %v", len(w.Names("Pod")), run.RequeueAfter)
	}
	want(0)(w)
	if w.Reconcile("default/web"); len(w.Names("Pod")) != burst+20 { // their finalizer holds them
		t.Errorf("%d Pods are left", len(w.Names("Pod")))
	}
	if rs := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web"); *rs.Status.TerminatingReplicas != burst || rs.Status.Replicas != 20 {
		t.Errorf("the status is %+v", rs.Status)
	}
}

// TestPodIsMadeOfTheTemplate looks at the body of a create.
func TestPodIsMadeOfTheTemplate(t *testing.T) {
	w := sdktest.New(t, web)
	rs := sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", "web")
	run := w.Reconcile("default/web")
	yes := true
	want := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			GenerateName: "web-",
			Labels:       map[string]string{"app": "web", "tier": "front"},
			Annotations:  map[string]string{"note": "kept"},
			Finalizers:   []string{"example.com/hold"},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "uid-web", Controller: &yes, BlockOwnerDeletion: &yes,
			}},
		},
		Spec: rs.Spec.Template.Spec,
	}
	if diff := cmp.Diff(want, sdktest.Body[*corev1.Pod](t, &run.Done[0])); diff != "" {
		t.Errorf("the Pod is another (-want +got):\n%s", diff)
	}
}
