//go:build !wasip1

package sdk_test

import (
	"strings"
	"testing"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

var (
	pods    = &sdk.Kind{APIVersion: "v1", Kind: "Pod"}
	configs = &sdk.Kind{APIVersion: "v1", Kind: "ConfigMap"}
)

// body is what the module under test does; each test sets its own.
var body func(r *sdk.Reconcile) error

func init() {
	sdk.Register(sdk.Module{Name: "test", Version: "v9", Controllers: []sdk.Controller{
		{
			Name:        "pods",
			Primary:     &sdk.Primary{Kind: pods, Wakes: sdk.Fields(corev1.PodFields.Spec().NodeName())},
			Reads:       []sdk.Read{{Kind: configs}},
			Access:      []sdk.Access{{Kind: pods, Verbs: []string{"delete"}}},
			Concurrency: 3,
			MemoSchema:  7,
			Reconcile:   func(r *sdk.Reconcile) error { return body(r) },
		},
		{Name: "zones", Virtual: &sdk.Virtual{Singleton: true}, Reconcile: func(r *sdk.Reconcile) error { return body(r) }},
	}})
}

// serve runs f as the reconcile of a request.
func serve(t *testing.T, req abi.Request, f func(r *sdk.Reconcile) error) abi.Response {
	t.Helper()
	body = f
	var out abi.Response
	if err := out.Decode(sdk.Serve(req.Append(nil))); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestManifestSaysWhatWasRegistered(t *testing.T) {
	var m abi.Manifest
	if err := m.Decode(sdk.Describe()); err != nil {
		t.Fatal(err)
	}
	c := m.Controllers[0]
	if m.Name != "test" || m.Version != "v9" || !strings.HasPrefix(m.SDK, "sdk-go ") || len(m.Controllers) != 2 {
		t.Errorf("manifest %+v", m)
	}
	if c.Name != "pods" || *c.Primary.Kind != *pods || c.Concurrency != 3 || c.MemoSchema != 7 || c.Access[0].Verbs[0] != "delete" {
		t.Errorf("controller %+v", c)
	}
	if w := c.Primary.Wakes[0]; w.Name != "spec.nodeName" || len(w.Numbers) != 2 || w.Numbers[0] != 2 || w.Numbers[1] != 10 {
		t.Errorf("a field path became %+v", w)
	}
	if !m.Controllers[1].Virtual.Singleton {
		t.Error("the virtual keys are lost")
	}
}

func TestBadRequestsAreTerminal(t *testing.T) {
	for name, request := range map[string][]byte{
		"malformed":     {0xff},
		"no controller": (&abi.Request{Controller: 9}).Append(nil),
	} {
		var out abi.Response
		if err := out.Decode(sdk.Serve(request)); err != nil {
			t.Fatal(err)
		}
		if out.Error == nil || !out.Error.Terminal {
			t.Errorf("%s: got %+v, want a terminal error", name, out.Error)
		}
	}
}
