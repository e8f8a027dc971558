//go:build !wasip1

package sdk_test

import (
	"testing"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
)

func TestActionsAreNumberedOverAllBatches(t *testing.T) {
	req := abi.Request{Key: &abi.Key{Namespace: "ns", Name: "p"}, Object: &abi.Object{Body: podBody("p", "u1")}}
	out := serve(t, req, func(r *sdk.Reconcile) error {
		r.Batch(sdk.Parallel) // empty: not sent
		slow := r.Batch(sdk.SlowStart)
		slow.Create(pods, "ns", "", []byte("x"))
		first := slow.Create(pods, "ns", "b", []byte("y"))
		r.UpdateStatus(pods, "ns", "p", []byte("s")).Following(first)
		r.Event(sdk.Warning, "Why", "because")
		r.Batch(sdk.Sequential).Always().Delete(pods, "ns", "c").IfUID("u").Grace(0).Propagate(sdk.Orphan).Tolerate(sdk.NotFound).After(first)
		r.Delete(pods, "ns", "d") // a new sequence: it comes after the batch
		slow.Create(pods, "ns", "e", nil)
		return nil
	})
	if len(out.Batches) != 4 {
		t.Fatalf("%d batches, want 4", len(out.Batches))
	}
	slow, open, always, last := out.Batches[0], out.Batches[1], out.Batches[2], out.Batches[3]
	if slow.Mode != abi.BatchModeSlowStart || len(slow.Actions) != 3 || slow.Actions[0].DependsOn != 0 {
		t.Errorf("slow start is %+v", slow)
	}
	status, event := open.Actions[0], open.Actions[1]
	if status.DependsOn != 2 || !status.ResourceVersionFromDependency || status.Subresource != "status" || status.Verb != abi.VerbUpdate {
		t.Errorf("status is %+v", status)
	}
	if event.Verb != abi.VerbEvent || event.UID != "u1" || event.Name != "p" || event.Event.Reason != "Why" || *event.Kind != *pods {
		t.Errorf("event is %+v", event)
	}
	if d := always.Actions[0]; !always.Always || d.UID != "u" || d.DependsOn != 2 || *d.GracePeriodSeconds != 0 || d.Propagation != abi.PropagationOrphan || d.Tolerates[0] != "NotFound" {
		t.Errorf("delete is %+v", d)
	}
	if len(last.Actions) != 1 || last.Actions[0].Name != "d" || last.Always {
		t.Errorf("the last batch is %+v", last)
	}
}

func TestVerbs(t *testing.T) {
	out := serve(t, abi.Request{}, func(r *sdk.Reconcile) error {
		r.Patch(pods, "ns", "a", sdk.MergePatch, []byte("{}")).IfResourceVersion("5").Return()
		r.Apply(pods, "ns", "a", []byte("{}")).Forced().Manager("me")
		r.Create(pods, "ns", "a", nil).On("eviction").BodyOf(&sdk.Kind{APIVersion: "policy/v1", Kind: "Eviction"}).JSON()
		r.DeleteCollection(pods, "ns", "a=b")
		r.External("cloud", "balance", []byte("p"))
		return nil
	})
	a := out.Batches[0].Actions
	switch {
	case a[0].PatchType != abi.PatchTypeMerge || a[0].Encoding != abi.EncodingJSON || a[0].ResourceVersion != "5" || !a[0].WantBody:
		t.Errorf("patch is %+v", a[0])
	case a[1].Verb != abi.VerbApply || !a[1].Force || a[1].FieldManager != "me":
		t.Errorf("apply is %+v", a[1])
	case a[2].Subresource != "eviction" || a[2].BodyKind.Kind != "Eviction" || a[2].Encoding != abi.EncodingJSON:
		t.Errorf("eviction is %+v", a[2])
	case a[3].LabelSelector != "a=b":
		t.Errorf("delete-collection is %+v", a[3])
	case a[4].External.Operation != "balance":
		t.Errorf("external is %+v", a[4])
	}
}

func TestDependingOnALaterActionIsAMistake(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	serve(t, abi.Request{}, func(r *sdk.Reconcile) error {
		first := r.Batch(sdk.Parallel).Delete(pods, "ns", "a")
		first.After(r.Delete(pods, "ns", "b"))
		return nil
	})
}
