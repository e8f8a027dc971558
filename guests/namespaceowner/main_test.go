//go:build !wasip1

package main

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

func TestLabelsWhatNobodyOwns(t *testing.T) {
	w := sdktest.New(t, `
apiVersion: v1
kind: Namespace
metadata: {name: fresh}
---
apiVersion: v1
kind: Namespace
metadata: {name: taken, labels: {owner: ann}}
---
apiVersion: v1
kind: Namespace
metadata: {name: leaving, deletionTimestamp: "2026-01-01T00:00:00Z"}
`)
	w.Reconcile("fresh").Want(t,
		`patch Namespace fresh {"metadata":{"labels":{"owner":"unassigned"}}}`,
		"event Normal OwnerUnassigned: The namespace named no owner")
	if got := sdktest.Get[*corev1.Namespace](w, "Namespace", "", "fresh").Labels["owner"]; got != "unassigned" {
		t.Errorf("the label is %q", got)
	}
	for _, quiet := range []string{"fresh", "taken", "leaving", "gone"} {
		w.Reconcile(quiet).Want(t)
	}
}
