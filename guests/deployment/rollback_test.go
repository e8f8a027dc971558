//go:build !wasip1

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// TestRollsBack holds what becomes of the wish, and of the template.
func TestRollsBack(t *testing.T) {
	to := func(revision string) change {
		return editDeployment(func(d *appsv1.Deployment) { d.Annotations[appsv1.DeprecatedRollbackTo] = revision })
	}
	update := "update Deployment default/web"
	cases := map[string]struct {
		reason string
		change change
		image  string
		want   []string
	}{
		"to the last":     {"the one before the latest", to("0"), "web:1", []string{update, `event Normal DeploymentRollback: Rolled back deployment "web" to revision 1`}},
		"to a revision":   {"of that number", to("1"), "web:1", []string{update, `event Normal DeploymentRollback: Rolled back deployment "web" to revision 1`}},
		"to the present":  {"nothing changes", to("2"), "web:2", []string{`event Warning DeploymentRollbackTemplateUnchanged: The rollback revision contains the same template as current deployment "web"`, update}},
		"to an unknown":   {"there is none of that number", to("7"), "web:2", []string{`event Warning DeploymentRollbackRevisionNotFound: Unable to find the revision to rollback to.`, update}},
		"without history": {"there is no other", all(to("0"), func(w *sdktest.World) { w.Remove("ReplicaSet", "default", "web-old") }), "web:2", []string{`event Warning DeploymentRollbackRevisionNotFound: Unable to find last revision.`, update}},
		"nonsense":        {"it is no wish", to("x"), "web:2", nil},
		"noted before": {
			"the revision is written before the template", all(to("1"), editDeployment(func(d *appsv1.Deployment) { delete(d.Annotations, revisionAnnotation) })), "web:1",
			[]string{statusLine, update, `event Normal DeploymentRollback: Rolled back deployment "web" to revision 1`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, web, newer, old)
			all(sized("web-old", 0, 0), settled, tc.change)(w)
			if diff := cmp.Diff(tc.want, w.Reconcile("default/web").Lines()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			d := deploymentOf(w)
			if got := d.Spec.Template.Spec.Containers[0].Image; got != tc.image {
				t.Errorf("%s: the image is %s, want %s", tc.reason, got, tc.image)
			}
			if _, hashed := d.Spec.Template.Labels[hashLabel]; hashed {
				t.Errorf("%s: the hash is in the Deployment's template", tc.reason)
			}
			if _, left := d.Annotations[appsv1.DeprecatedRollbackTo]; left != (tc.want == nil) {
				t.Errorf("%s: the annotations are %v", tc.reason, d.Annotations)
			}
		})
	}
}

// TestRollbackTakesAnnotationsAlong holds that the annotations are those that
// the Deployment had at that revision, apart from the controllers' own.
func TestRollbackTakesAnnotationsAlong(t *testing.T) {
	w := sdktest.New(t, web, newer, old)
	all(sized("web-old", 0, 0), settled, annotated("web-old", "note", "first"), annotated("web-old", "then", "yes"))(w)
	editDeployment(func(d *appsv1.Deployment) {
		d.Annotations[appsv1.DeprecatedRollbackTo] = "1"
		d.Annotations["now"] = "yes"
	})(w)
	annotated("web-new", "now", "yes")(w)
	w.Reconcile("default/web")
	want := map[string]string{"note": "first", "then": "yes", revisionAnnotation: "2", lastApplied: "{}"}
	if diff := cmp.Diff(want, deploymentOf(w).Annotations); diff != "" {
		t.Errorf("the annotations are others (-want +got):\n%s", diff)
	}
}

// TestUndoes holds what follows when kubectl puts an old template back.
func TestUndoes(t *testing.T) {
	w := sdktest.New(t, web, newer, old)
	all(sized("web-old", 0, 0), settled)(w)
	editDeployment(func(d *appsv1.Deployment) {
		template := setOf(w, "web-old").Spec.Template
		delete(template.Labels, hashLabel)
		d.Spec.Template = template
	})(w)
	w.Reconcile("default/web").Want(t, lines([]string{"update ReplicaSet default/web-old", statusLine},
		updates("web-old", "up", 0, 3), again)...)
	rs := setOf(w, "web-old")
	if rs.Annotations[revisionAnnotation] != "3" || rs.Annotations[historyAnnotation] != "1" || deploymentOf(w).Annotations[revisionAnnotation] != "3" {
		t.Errorf("the annotations are %v", rs.Annotations)
	}
	w.Reconcile("default/web").Want(t, lines(updates("web-new", "down", 10, 8), again)...)
}
