//go:build !wasip1

package json_test

import (
	"strings"
	"testing"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/json"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
)

var widgets = &sdk.Kind{APIVersion: "example.com/v1", Kind: "Widget"}

type widget struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Metadata   struct {
		Name            string `json:"name,omitempty"`
		Namespace       string `json:"namespace,omitempty"`
		ResourceVersion string `json:"resourceVersion,omitempty"`
	} `json:"metadata"`
	Spec struct {
		Size int `json:"size,omitempty"`
	} `json:"spec"`
	Status struct {
		Seen int `json:"seen,omitempty"`
	} `json:"status"`
}

type config struct {
	Limit int    `json:"limit"`
	Mode  string `json:"mode"`
}

func init() {
	verbs := []string{"create", "update", "patch"}
	sdk.Register(sdk.Module{Name: "widgets", Controllers: []sdk.Controller{{
		Name:      "widgets",
		Primary:   &sdk.Primary{Kind: widgets},
		Access:    []sdk.Access{{Kind: widgets, Verbs: verbs}, {Kind: widgets, Subresource: "status", Verbs: verbs}},
		Reconcile: reconcile,
	}}})
}

// reconcile uses each function once.
func reconcile(r *sdk.Reconcile) error {
	c := config{Limit: 1, Mode: "plain"}
	if err := json.Config(r, &c); err != nil {
		return err
	}
	w, err := json.Object[widget](r)
	if err != nil || !r.Exists() {
		return err
	}
	all, err := json.List[widget](r, sdk.Query{Kind: widgets, Namespace: w.Metadata.Namespace})
	if err != nil {
		return err
	}
	w.Status.Seen = len(all) * c.Limit
	status, err := json.UpdateStatus(r, widgets, w.Metadata.Namespace, w.Metadata.Name, w)
	if err != nil {
		return err
	}
	w.Spec.Size++
	update, err := json.Update(r, widgets, w.Metadata.Namespace, w.Metadata.Name, w)
	if err != nil {
		return err
	}
	update.Following(status)
	var twin widget
	twin.APIVersion, twin.Kind, twin.Metadata.Name = widgets.APIVersion, widgets.Kind, c.Mode
	if _, err := json.Create(r, widgets, w.Metadata.Namespace, c.Mode, twin); err != nil {
		return err
	}
	twin.Metadata.Name = "applied"
	_, err = json.Apply(r, widgets, w.Metadata.Namespace, "applied", twin)
	return err
}

const one = `
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: ns}
spec: {size: 3}
`

func TestWidgets(t *testing.T) {
	w := sdktest.New(t, one)
	w.Config = `{"limit": 7}`
	run := w.Reconcile("ns/w")
	run.Want(t,
		"update Widget/status ns/w",
		"update Widget ns/w",
		"create Widget ns/plain",
		"apply Widget ns/applied",
	)
	for i := range run.Done[:3] {
		if run.Done[i].Encoding != abi.EncodingJSON {
			t.Errorf("%v is not sent as JSON", &run.Done[i])
		}
	}
	if text := string(run.Done[0].Action.Body); !strings.Contains(text, `"seen":7`) {
		t.Errorf("the status is %s", text)
	}
	if names := w.Names("Widget"); len(names) != 3 {
		t.Errorf("there are %q", names)
	}
}

func TestBadConfig(t *testing.T) {
	w := sdktest.New(t)
	w.Config = "{"
	if run := w.Reconcile("ns/w"); run.Err == "" {
		t.Error("a malformed configuration was taken")
	}
}
