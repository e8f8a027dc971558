//go:build !wasip1

package main

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const (
	orphanPod    = `patch Pod default/pod {"metadata":{"uid":"uid-pod","ownerReferences":[{"$patch":"delete","uid":"uid-owner"}]}}`
	orphanShared = `patch Pod default/shared {"metadata":{"uid":"uid-shared","ownerReferences":[{"$patch":"delete","uid":"uid-owner"}]}}`
)

func TestOrphan(t *testing.T) {
	forbidden := apierrors.NewForbidden(pods, "pod", errors.New("no"))
	cases := map[string]struct {
		reason string
		change func(*sdktest.World)
		want   []string
	}{
		"dependents":    {"each loses its reference, then the owner goes", all(), []string{orphanPod, orphanShared, released("6")}},
		"no dependents": {"the owner goes", all(without("Pod", "pod"), without("Pod", "shared")), []string{released("6")}},
		"gone meanwhile": {
			"it needs no patch", refuse(abi.VerbPatch, apierrors.NewNotFound(pods, "pod")),
			[]string{orphanPod, orphanShared, released("6")},
		},
		"refused": {
			"the owner waits for every one", refuse(abi.VerbPatch, forbidden),
			[]string{orphanPod + ": Forbidden: " + forbidden.Error(), orphanShared, "error: cannot orphan the dependents of ReplicationController default/owner: " + forbidden.Error()},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := sdktest.New(t, world)
			edit("ReplicationController", "owner", terminate("orphan"))(w)
			tc.change(w)
			want(t, tc.reason, w.ReconcileObject("ReplicationController", "default", "owner"), tc.want)
		})
	}
}

// TestOrphanCustomResource: of several dependents only those get a merge patch
// that take no other.
func TestOrphanCustomResource(t *testing.T) {
	w := sdktest.New(t, world, widget)
	edit("ReplicationController", "owner", terminate("orphan"))(w)
	got := lines(w.ReconcileObject("ReplicationController", "default", "owner"))
	if len(got) != 5 || !strings.Contains(got[2], "UnsupportedMediaType") {
		t.Fatalf("%q", got)
	}
	const merged = `patch Widget default/widget {"metadata":{"resourceVersion":"6","ownerReferences":[{"apiVersion":"v1","kind":"ReplicationController","name":"other","uid":"uid-other"}]}}`
	if got[0] != orphanPod || got[1] != orphanShared || got[3] != merged || got[4] != released("7") {
		t.Errorf("%q", got)
	}
}

func released(version string) string {
	return `patch ReplicationController default/owner {"metadata":{"resourceVersion":"` + version + `","finalizers":null}}`
}
