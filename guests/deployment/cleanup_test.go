//go:build !wasip1

package main

import (
	"strconv"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

// TestCleansUp holds which old revisions go: beside the first there are those
// of the revisions 3 to 5, of which the latest is the oldest by age.
func TestCleansUp(t *testing.T) {
	limit := func(n int32) change {
		return editDeployment(func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = &n })
	}
	deletes := func(names ...string) []string {
		var out []string
		for _, name := range names {
			out = append(out, "delete ReplicaSet default/"+name)
		}
		return out
	}
	cases := map[string]situation{
		"enough room":      {reason: "four may stay", change: limit(4)},
		"two too many":     {reason: "the earliest go", change: limit(2), want: deletes("web-old", "web-3")},
		"none may stay":    {reason: "all go", change: limit(0), want: deletes("web-old", "web-3", "web-4", "web-5")},
		"no limit":         {reason: "all stay", change: editDeployment(func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = nil })},
		"highest limit":    {reason: "means none", change: limit(1<<31 - 1)},
		"one has Pods":     {reason: "it stays, and no other goes for it", change: all(limit(2), editSet("web-3", func(rs *appsv1.ReplicaSet) { rs.Status.Replicas = 1 })), want: lines(deletes("web-old"), []string{statusLine})},
		"one is not seen":  {reason: "its controller has not yet looked at it", change: all(limit(2), editSet("web-3", func(rs *appsv1.ReplicaSet) { rs.Generation = 2 })), want: deletes("web-old")},
		"one goes":         {reason: "it is not counted", change: all(limit(2), editSet("web-old", func(rs *appsv1.ReplicaSet) { deleted(rs) })), want: deletes("web-3")},
		"unknown revision": {reason: "its age counts", change: all(limit(3), annotated("web-5", revisionAnnotation, "x")), want: deletes("web-5")},
		"gone already":     {reason: "that is no failure", change: all(limit(3), refuse(abi.VerbDelete, apierrors.NewNotFound(setResource, "web-old"))), want: deletes("web-old")},
		"a failure":        {reason: "nothing else is done", change: all(limit(2), refuse(abi.VerbDelete, apierrors.NewForbidden(setResource, "web-old", nil))), want: []string{"delete ReplicaSet default/web-old: Forbidden: replicasets.apps \"web-old\" is forbidden: <nil>", "delete ReplicaSet default/web-3: skipped"}},
		"under way":        {reason: "not before the roll-out is complete", change: all(limit(0), editDeployment(func(d *appsv1.Deployment) { d.Status.AvailableReplicas = 9 })), want: []string{statusLine}},
		"paused":           {reason: "a pause is a good time", change: all(limit(3), unlimited, paused), want: deletes("web-old")},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.sources = []string{web, newer, old}
			tc.change = all(sized("web-old", 0, 0), settled, history, tc.change)
			tc.run(t)
		})
	}
}

// history adds the revisions 3 to 5, and makes the template's the sixth.
func history(w *sdktest.World) {
	for i := 3; i <= 5; i++ {
		name := "web-" + strconv.Itoa(i)
		addSet(name, func(rs *appsv1.ReplicaSet) {
			rs.Annotations[revisionAnnotation] = strconv.Itoa(i)
			rs.CreationTimestamp.Time = rs.CreationTimestamp.Add(-time.Duration(i) * time.Minute)
		})(w)
	}
	annotated("web-new", revisionAnnotation, "6")(w)
	editDeployment(func(d *appsv1.Deployment) { d.Annotations[revisionAnnotation] = "6" })(w)
}
