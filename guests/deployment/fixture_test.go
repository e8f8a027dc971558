//go:build !wasip1

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// Fixtures: a Deployment of ten Pods, the ReplicaSet of its template, and that
// of the one before.
const (
	web   = "testdata/web.yaml"
	newer = "testdata/new.yaml"
	old   = "testdata/old.yaml"
)

const statusLine = "update Deployment/status default/web"

// change changes the fixtures.
type change = func(*sdktest.World)

// all does several changes.
func all(changes ...change) change {
	return func(w *sdktest.World) {
		for _, c := range changes {
			c(w)
		}
	}
}

func editDeployment(f func(*appsv1.Deployment)) change {
	return func(w *sdktest.World) { sdktest.Edit(w, "Deployment", "default", "web", f) }
}

func editSet(name string, f func(*appsv1.ReplicaSet)) change {
	return func(w *sdktest.World) { sdktest.Edit(w, "ReplicaSet", "default", name, f) }
}

func deploymentOf(w *sdktest.World) *appsv1.Deployment {
	return sdktest.Get[*appsv1.Deployment](w, "Deployment", "default", "web")
}

func setOf(w *sdktest.World, name string) *appsv1.ReplicaSet {
	return sdktest.Get[*appsv1.ReplicaSet](w, "ReplicaSet", "default", name)
}

// wants has the Deployment want n Pods.
func wants(n int32) change {
	return editDeployment(func(d *appsv1.Deployment) { d.Spec.Replicas = &n })
}

// sized gives a ReplicaSet so many Pods, of which some are available.
func sized(name string, replicas, available int32) change {
	return editSet(name, func(rs *appsv1.ReplicaSet) {
		rs.Spec.Replicas = &replicas
		rs.Status.Replicas, rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = replicas, available, available
	})
}

// annotated sets an annotation of a ReplicaSet, or removes it.
func annotated(name, key, value string) change {
	return editSet(name, func(rs *appsv1.ReplicaSet) {
		if rs.Annotations[key] = value; value == "" {
			delete(rs.Annotations, key)
		}
	})
}

// recreating has all old Pods end first.
var recreating = editDeployment(func(d *appsv1.Deployment) {
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
})

var paused = editDeployment(func(d *appsv1.Deployment) { d.Spec.Paused = true })

// unlimited takes the deadline for progress away.
var unlimited = editDeployment(func(d *appsv1.Deployment) { d.Spec.ProgressDeadlineSeconds = nil })

// deleted marks an object as being deleted.
func deleted(m metav1.Object) {
	t := metav1.Unix(1_767_300_000, 0)
	m.SetDeletionTimestamp(&t)
	m.SetFinalizers([]string{"example.com/hold"})
}

// addSet adds a copy of the old ReplicaSet under another name, of another template.
func addSet(name string, f func(*appsv1.ReplicaSet)) change {
	return func(w *sdktest.World) {
		rs := setOf(w, "web-old").DeepCopy()
		rs.Name, rs.UID, rs.ResourceVersion = name, types.UID("uid-"+name), ""
		rs.Spec.Template.Spec.Containers[0].Image = name
		f(rs)
		w.AddObjects(rs)
	}
}

// condition is one that has been there for a while.
func condition(w *sdktest.World, typ appsv1.DeploymentConditionType, status corev1.ConditionStatus, reason string, ago time.Duration) appsv1.DeploymentCondition {
	t := metav1.NewTime(w.Now.Add(-ago))
	return appsv1.DeploymentCondition{Type: typ, Status: status, Reason: reason, Message: "before", LastUpdateTime: t, LastTransitionTime: t}
}

// progress gives the Deployment a condition about its progress.
func progress(status corev1.ConditionStatus, reason string, ago time.Duration) change {
	return func(w *sdktest.World) {
		editDeployment(func(d *appsv1.Deployment) {
			d.Status.Conditions = []appsv1.DeploymentCondition{condition(w, appsv1.DeploymentProgressing, status, reason, ago)}
		})(w)
	}
}

// quantity is one as it is spelled in manifests.
func quantity(text string) resource.Quantity { return resource.MustParse(text) }

// settled gives the Deployment the status that it has when all is done.
func settled(w *sdktest.World) {
	zero := int32(0)
	sdktest.Edit(w, "Deployment", "default", "web", func(d *appsv1.Deployment) {
		n := *d.Spec.Replicas
		d.Annotations[revisionAnnotation] = "2"
		d.Status = appsv1.DeploymentStatus{
			ObservedGeneration: 1, Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n, TerminatingReplicas: &zero,
			Conditions: []appsv1.DeploymentCondition{
				condition(w, appsv1.DeploymentAvailable, corev1.ConditionTrue, reasonAvailable, time.Hour),
				condition(w, appsv1.DeploymentProgressing, corev1.ConditionTrue, reasonComplete, time.Hour),
			},
		}
	})
}

// underway has the roll-out of the second template begun a minute ago.
func underway(w *sdktest.World) {
	progress(corev1.ConditionTrue, reasonUpdated, time.Minute)(w)
	editDeployment(func(d *appsv1.Deployment) { d.Annotations[revisionAnnotation] = "2" })(w)
}

// conditionOf is the Deployment's condition of a type, empty if it has none.
func conditionOf(w *sdktest.World, typ appsv1.DeploymentConditionType) appsv1.DeploymentCondition {
	for _, c := range deploymentOf(w).Status.Conditions {
		if c.Type == typ {
			return c
		}
	}
	return appsv1.DeploymentCondition{}
}

// situation is what a Deployment finds, and what it then does.
type situation struct {
	reason  string
	sources []string
	change  change
	want    []string
}

// run looks at the Deployment once.
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

// updates are the lines of a ReplicaSet that is scaled.
func updates(name, direction string, from, to int32) []string {
	return []string{"update ReplicaSet default/" + name, "event Normal ScalingReplicaSet: " + scalingMessage(direction, name, from, to)}
}

// lines joins what several steps did.
func lines(parts ...[]string) []string {
	var out []string
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// again is how a step of a roll-out ends.
var again = []string{statusLine, "requeue after 1ns"}
