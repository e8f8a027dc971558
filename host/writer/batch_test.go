package writer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/policy"
)

// mapper knows a few kinds.
type mapper struct{}

func (mapper) Resource(_ context.Context, gvk schema.GroupVersionKind) (schema.GroupVersionResource, bool, error) {
	switch gvk.Kind {
	case "Node", "Namespace", "CustomResourceDefinition":
		return gvk.GroupVersion().WithResource(strings.ToLower(gvk.Kind) + "s"), false, nil
	case "Missing":
		return schema.GroupVersionResource{}, false, &apimeta.NoKindMatchError{GroupKind: gvk.GroupKind()}
	}
	return gvk.GroupVersion().WithResource(strings.ToLower(gvk.Kind) + "s"), true, nil
}

// everything is a grant of all there is.
var everything = &policy.Grant{Controller: "test", Rules: []policy.Rule{{APIVersion: "*", Kind: "*", Subresource: "*", Verbs: []string{"*"}}}}

// fake is a server on which creates of "bad..." fail, and others are counted.
type fake struct {
	mu      sync.Mutex
	created []string
	most    int // at once
	now     int
	started chan struct{} // if set, requests wait until it is closed
}

func (f *fake) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	var o jsonMeta
	_ = json.NewDecoder(r.Body).Decode(&o) // an empty name is as good
	f.mu.Lock()
	f.now++
	f.most = max(f.most, f.now)
	f.created = append(f.created, o.Metadata.Name)
	f.mu.Unlock()
	if f.started != nil {
		<-f.started
	}
	f.mu.Lock()
	f.now--
	f.mu.Unlock()
	out.Header().Set("Content-Type", typeJSON)
	if strings.HasPrefix(o.Metadata.Name, "bad") {
		out.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprint(out, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","message":"no","code":403,
			"details":{"causes":[{"reason":"Quota","message":"full","field":"spec"}]}}`)
		return
	}
	_, _ = fmt.Fprintf(out, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"uid":"u","resourceVersion":"1"}}`, o.Metadata.Name)
}

func fakeWriter(t *testing.T, h http.Handler, change func(*Config)) *Writer {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	cfg := Config{Controller: "test", REST: &rest.Config{Host: server.URL}, Mapper: mapper{}, Grant: everything}
	if change != nil {
		change(&cfg)
	}
	w, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func create(name string) abi.Action {
	return abi.Action{
		Verb: abi.VerbCreate, Kind: &podKind, Namespace: "ns", Encoding: abi.EncodingJSON,
		Body: []byte(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"` + name + `"}}`),
	}
}

func creates(names string) []abi.Action {
	var out []abi.Action
	for name := range strings.FieldsSeq(names) {
		out = append(out, create(name))
	}
	return out
}

func dependent(name string, on uint32) abi.Action {
	a := create(name)
	a.DependsOn = on
	return a
}

func tolerant(name, reason string) abi.Action {
	a := create(name)
	a.Tolerates = []string{reason}
	return a
}

// outcomes is the first letter of each outcome.
func outcomes(r *Report) string {
	var out strings.Builder
	for i := range r.Results {
		out.WriteByte(outcomeName(r.Results[i].Outcome)[0])
	}
	return out.String()
}

func TestBatches(t *testing.T) {
	cases := map[string]struct {
		reason  string
		batches []abi.Batch
		want    string
		failed  bool
	}{
		"sequential": {
			"stops at the first failure",
			[]abi.Batch{{Actions: creates("a b bad c d")}},
			"oofss", true,
		},
		"parallel": {
			"a failure stops nothing",
			[]abi.Batch{{Mode: abi.BatchModeParallel, Actions: creates("a bad b c")}},
			"ofoo", true,
		},
		"slow start": {
			"one, two, four: the round with the failure is finished, the rest left",
			[]abi.Batch{{Mode: abi.BatchModeSlowStart, Actions: creates("a b bad c d e f g h")}},
			"oofssssss", true,
		},
		"slow start ends": {
			"an incomplete last round",
			[]abi.Batch{{Mode: abi.BatchModeSlowStart, Actions: creates("a b c d e")}},
			"ooooo", false,
		},
		"later batches": {
			"are skipped, but for those that are performed always",
			[]abi.Batch{{Actions: creates("bad a")}, {Actions: creates("b")}, {Always: true, Actions: creates("c bad2")}, {Always: true, Actions: creates("d")}},
			"fssofo", true,
		},
		"depends": {
			"on success: in parallel too, over batches too",
			[]abi.Batch{
				{Mode: abi.BatchModeParallel, Actions: []abi.Action{create("bad"), create("a"), dependent("b", 1), dependent("c", 2)}},
				{Always: true, Actions: []abi.Action{dependent("d", 3), dependent("e", 4)}},
			},
			"fososo", true,
		},
		"depends on itself": {
			"what comes later cannot be waited for",
			[]abi.Batch{{Mode: abi.BatchModeParallel, Actions: []abi.Action{dependent("a", 1), dependent("b", 3), create("c")}}},
			"ffo", true,
		},
		"tolerates": {
			"a tolerated failure is success",
			[]abi.Batch{{Actions: []abi.Action{tolerant("bad", "Forbidden"), dependent("a", 1), tolerant("bad", "Conflict"), create("b")}}},
			"oofs", true,
		},
		"empty": {"nothing to do is success", []abi.Batch{{}, {Mode: abi.BatchModeSlowStart}}, "", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			report, err := fakeWriter(t, &fake{}, nil).Perform(t.Context(), Owner{}, tc.batches)
			if err != nil {
				t.Fatal(err)
			}
			if got := outcomes(&report); got != tc.want || report.Failed != tc.failed || (report.Errors != nil) != tc.failed {
				t.Errorf("%s:\n got %s, failed %v, %v\nwant %s", tc.reason, got, report.Failed, report.Errors, tc.want)
			}
		})
	}
}

func TestFailureIsToldInFull(t *testing.T) {
	report, err := fakeWriter(t, &fake{}, nil).Perform(t.Context(), Owner{}, []abi.Batch{{Actions: creates("a bad")}})
	if err != nil {
		t.Fatal(err)
	}
	want := []abi.Result{
		{Outcome: abi.OutcomeOK, Name: "a", UID: "u", ResourceVersion: "1"},
		{Outcome: abi.OutcomeFailed, Reason: "Forbidden", Message: "no", Code: 403, Causes: []abi.Cause{{Reason: "Quota", Message: "full", Field: "spec"}}},
	}
	if diff := cmp.Diff(want, report.Results); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var failure *ActionError
	if !errors.As(report.Errors, &failure) || failure.Index != 2 || failure.Error() != "cannot create v1 Pod ns/bad: no" {
		t.Errorf("error %v", report.Errors)
	}
	if !apierrors.IsForbidden(report.Errors) && !apierrors.IsForbidden(failure) {
		t.Errorf("the API's status is not in %v", report.Errors)
	}
	writes := []Write{{GVK: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Namespace: "ns", Name: "a", UID: "u", ResourceVersion: "1"}}
	if diff := cmp.Diff(writes, report.Writes); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestParallelWidthIsBounded(t *testing.T) {
	f := &fake{started: make(chan struct{})}
	w := fakeWriter(t, f, nil)
	var wait sync.WaitGroup
	wait.Go(func() {
		_, _ = w.Perform(t.Context(), Owner{}, []abi.Batch{{Mode: abi.BatchModeParallel, Actions: creates(strings.Repeat("a ", 40))}})
	})
	for { // until as many are under way as will be
		f.mu.Lock()
		n := f.now
		f.mu.Unlock()
		if n == width {
			break
		}
	}
	close(f.started)
	wait.Wait()
	if f.most != width || len(f.created) != 40 {
		t.Errorf("%d at once, %d in all; want %d and 40", f.most, len(f.created), width)
	}
}
