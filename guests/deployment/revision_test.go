//go:build !wasip1

package main

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// TestRevises holds what the ReplicaSet of the template is kept up to date in.
func TestRevises(t *testing.T) {
	has := func(key, value string) change { return annotated("web-new", key, value) }
	revisedLine := "update ReplicaSet default/web-new"
	cases := map[string]struct {
		reason string
		change change
		want   map[string]string // annotations that are other ones then; "" for none
		writes bool
	}{
		"up to date":         {"nothing differs", all(), nil, false},
		"a note":             {"is passed on", editDeployment(func(d *appsv1.Deployment) { d.Annotations["note"] = "other" }), map[string]string{"note": "other"}, true},
		"a new note":         {"is passed on", editDeployment(func(d *appsv1.Deployment) { d.Annotations["more"] = "" }), map[string]string{"more": ""}, true},
		"a note less":        {"it stays where it was passed to", editDeployment(func(d *appsv1.Deployment) { delete(d.Annotations, "note") }), nil, false},
		"what is kubectl's":  {"is not passed on", editDeployment(func(d *appsv1.Deployment) { d.Annotations[lastApplied] = "{1}" }), nil, false},
		"its own":            {"are not passed on", editDeployment(func(d *appsv1.Deployment) { d.Annotations[desiredAnnotation], d.Annotations[maxAnnotation] = "1", "2" }), nil, false},
		"without a revision": {"it gets the one after the last", has(revisionAnnotation, ""), map[string]string{revisionAnnotation: "2"}, true},
		"come back to": {
			"its revision is the latest then, and the former is remembered",
			annotated("web-old", revisionAnnotation, "5"),
			map[string]string{revisionAnnotation: "6", historyAnnotation: "2"},
			true,
		},
		"again": {
			"what is remembered becomes longer",
			all(annotated("web-old", revisionAnnotation, "7"), has(revisionAnnotation, "6"), has(historyAnnotation, "2,4")),
			map[string]string{revisionAnnotation: "8", historyAnnotation: "2,4,6"},
			true,
		},
		"higher":             {"others were deleted meanwhile: it is not lowered", has(revisionAnnotation, "9"), map[string]string{revisionAnnotation: "9"}, false},
		"no number":          {"it is left alone", has(revisionAnnotation, "x"), map[string]string{revisionAnnotation: "x"}, false},
		"another's nonsense": {"does not count", annotated("web-old", revisionAnnotation, "x"), nil, false},
		"minReadySeconds":    {"are passed on", editDeployment(func(d *appsv1.Deployment) { d.Spec.MinReadySeconds = 7 }), nil, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			all(sized("web-old", 0, 0), settled)(w)
			want := maps.Clone(setOf(w, "web-new").Annotations)
			maps.Copy(want, tc.want)
			tc.change(w)
			run := w.Reconcile("default/web")
			if got := len(run.Lines()) > 0 && run.Lines()[0] == revisedLine; got != tc.writes {
				t.Errorf("%s: it did %v", tc.reason, run.Lines())
			}
			rs := setOf(w, "web-new")
			if diff := cmp.Diff(want, rs.Annotations); diff != "" {
				t.Errorf("%s: its annotations (-want +got):\n%s", tc.reason, diff)
			}
			if got, want := deploymentOf(w).Annotations[revisionAnnotation], rs.Annotations[revisionAnnotation]; got != want {
				t.Errorf("%s: the Deployment's revision is %q, want %q", tc.reason, got, want)
			}
			if got, want := rs.Spec.MinReadySeconds, deploymentOf(w).Spec.MinReadySeconds; got != want {
				t.Errorf("%s: minReadySeconds are %d, want %d", tc.reason, got, want)
			}
			if w.Reconcile("default/web"); len(w.Reconcile("default/web").Lines()) > 0 {
				t.Errorf("%s: it does not settle", tc.reason)
			}
		})
	}
}

// TestReviseFails holds that nothing is rolled out on old annotations.
func TestReviseFails(t *testing.T) {
	situation{
		"somebody else wrote in between",
		[]string{web, newer, old},
		all(annotated("web-new", revisionAnnotation, "1"), refuse(abi.VerbUpdate, apierrors.NewConflict(setResource, "web-new", nil))),
		[]string{
			`update ReplicaSet default/web-new: Conflict: Operation cannot be fulfilled on replicasets.apps "web-new": <nil>`,
			`error: cannot update the Deployment or its ReplicaSets: Operation cannot be fulfilled on replicasets.apps "web-new": <nil>`,
		},
	}.run(t)
}

// TestHistoryIsLimited holds that the oldest revisions are forgotten.
func TestHistoryIsLimited(t *testing.T) {
	long := strings.Repeat("1,", 999) + "1" // 1999 characters
	cases := map[string]struct {
		history, revision, want string
		ok                      bool
	}{
		"the first":          {"", "1", "1", true},
		"another":            {"1", "2", "1,2", true},
		"one has to go":      {long, "2", long[2:] + ",2", true},
		"several have to":    {long, "1234", long[4:] + ",1234", true},
		"all have to":        {"1,2,3", strings.Repeat("9", maxHistory), strings.Repeat("9", maxHistory), true},
		"it is too long":     {"1,2,3", strings.Repeat("9", maxHistory+1), "", false},
		"begun with a comma": {",1", "2", "2", true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got, ok := withPast(tc.history, tc.revision); got != tc.want || ok != tc.ok {
				t.Errorf("got %d characters (%v), want %d (%v)", len(got), ok, len(tc.want), tc.ok)
			}
		})
	}
}

// TestFindsTheTemplate holds which ReplicaSet is the one of the Deployment's
// template, whoever made it.
func TestFindsTheTemplate(t *testing.T) {
	template := func(f func(*corev1.PodTemplateSpec)) change {
		return editSet("web-new", func(rs *appsv1.ReplicaSet) { f(&rs.Spec.Template) })
	}
	cases := map[string]struct {
		reason string
		change change
		found  bool
	}{
		"the same":      {"but for the hash label", all(), true},
		"another hash":  {"does not count", template(func(t *corev1.PodTemplateSpec) { t.Labels[hashLabel] = "else" }), true},
		"no hash":       {"does not count either", template(func(t *corev1.PodTemplateSpec) { delete(t.Labels, hashLabel) }), true},
		"a label":       {"counts", template(func(t *corev1.PodTemplateSpec) { t.Labels["a"] = "b" }), false},
		"an annotation": {"counts", template(func(t *corev1.PodTemplateSpec) { t.Annotations["a"] = "b" }), false},
		"an image":      {"counts", template(func(t *corev1.PodTemplateSpec) { t.Spec.Containers[0].Image = "a" }), false},
		"empty, absent": {"mean the same where there is no pointer", template(func(t *corev1.PodTemplateSpec) {
			t.Spec.NodeSelector, t.Spec.Tolerations = map[string]string{}, []corev1.Toleration{}
		}), true},
		"a pointer": {"to nothing is something", template(func(t *corev1.PodTemplateSpec) { t.Spec.SecurityContext = &corev1.PodSecurityContext{} }), false},
		"quantities": {"are numbers, however they are spelled", template(func(t *corev1.PodTemplateSpec) {
			t.Spec.Containers[0].Resources.Requests = corev1.ResourceList{"cpu": quantity("0.5"), "memory": quantity("1073741824")}
		}), true},
		"a quantity": {"of another size counts", template(func(t *corev1.PodTemplateSpec) {
			t.Spec.Containers[0].Resources.Requests["cpu"] = quantity("600m")
		}), false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer)
			all(settled, tc.change)(w)
			if run := w.Reconcile("default/web"); (len(run.Lines()) == 0) != tc.found {
				t.Errorf("%s: it did %v", tc.reason, run.Lines())
			}
		})
	}
}

// TestOldestOfEqualTemplates holds that of two ReplicaSets of the template the
// older one is kept.
func TestOldestOfEqualTemplates(t *testing.T) {
	w := sdktest.New(t, web, newer, old)
	all(underway, observed, addSet("web-twin", func(rs *appsv1.ReplicaSet) { rs.CreationTimestamp.Time = rs.CreationTimestamp.Add(-1e9) }),
		sized("web-old", 0, 0), sized("web-twin", 0, 0), sized("web-new", 4, 4))(w)
	editSet("web-twin", func(rs *appsv1.ReplicaSet) { rs.Spec.Template = setOf(w, "web-new").Spec.Template })(w)
	annotated("web-twin", revisionAnnotation, "2")(w)
	annotated("web-new", revisionAnnotation, "1")(w)
	w.Reconcile("default/web").Want(t, lines(updates("web-twin", "up", 0, 9), again)...)
}
