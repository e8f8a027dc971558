//go:build !wasip1

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

const world = "testdata/world.yaml"

// lines describes a run, deletions with how and on what condition they are made.
func lines(run *sdktest.Run) []string {
	out := run.Lines()
	for i := range run.Done {
		d := &run.Done[i]
		if d.Verb != abi.VerbDelete {
			continue
		}
		out[i] += map[abi.Propagation]string{
			abi.PropagationBackground: " in the background", abi.PropagationForeground: " in the foreground", abi.PropagationOrphan: " without its dependents",
		}[d.Propagation]
		if d.UID == "" {
			out[i] += ", whichever it is"
		}
		if d.ResourceVersion == "" {
			out[i] += ", whatever changed"
		}
	}
	return out
}

func want(t *testing.T, reason string, run *sdktest.Run, expected []string) {
	t.Helper()
	if diff := cmp.Diff(expected, lines(run)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

// edit changes the metadata of an object.
func edit(kind, name string, f func(metav1.Object)) func(*sdktest.World) {
	return func(w *sdktest.World) { editIn(w, kind, "default", name, f) }
}

func editIn(w *sdktest.World, kind, namespace, name string, f func(metav1.Object)) {
	sdktest.Edit(w, kind, namespace, name, func(o runtime.Object) {
		if m, ok := o.(metav1.Object); ok {
			f(m)
		}
	})
}

// terminate has an object be deleted, held by finalizers.
func terminate(finalizers ...string) func(metav1.Object) {
	return func(m metav1.Object) {
		now := metav1.NewTime(time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC))
		m.SetDeletionTimestamp(&now)
		m.SetFinalizers(finalizers)
	}
}

func without(kind, name string) func(*sdktest.World) {
	return func(w *sdktest.World) { w.Remove(kind, "default", name) }
}

func add(yaml string) func(*sdktest.World) {
	return func(w *sdktest.World) { w.Add(yaml) }
}

func all(fs ...func(*sdktest.World)) func(*sdktest.World) {
	return func(w *sdktest.World) {
		for _, f := range fs {
			f(w)
		}
	}
}

// refuse has the first actions of a verb fail, one with each error.
func refuse(verb abi.Verb, errs ...error) func(*sdktest.World) {
	return func(w *sdktest.World) {
		w.OnAction = func(a *abi.Action) *abi.Result {
			if a.Verb != verb || len(errs) == 0 {
				return nil
			}
			r := sdktest.Failure(errs[0])
			errs = errs[1:]
			return &r
		}
	}
}

// lives counts the live reads of a run.
func lives(run *sdktest.Run) int {
	n := 0
	for i := range run.Reads {
		if run.Reads[i].Live {
			n++
		}
	}
	return n
}
