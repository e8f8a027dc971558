package writer

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/loopdock/loopdock/abi"
)

const definition = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"ships.writer.example.com"},
	"spec":{"group":"writer.example.com","scope":"Namespaced","names":{"plural":"ships","singular":"ship","kind":"Ship"},
	"versions":[{"name":"v1","served":true,"storage":true,"subresources":{"status":{}},
	"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}`

func TestCustomResource(t *testing.T) {
	e := newEnv(t, nil)
	e.must(abi.Action{
		Verb: abi.VerbCreate, Kind: &abi.Kind{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		Body: []byte(definition), Tolerates: []string{"AlreadyExists"},
	})
	ship := abi.Action{
		Verb: abi.VerbCreate, Kind: &abi.Kind{APIVersion: "writer.example.com/v1", Kind: "Ship"}, Namespace: e.namespace, WantBody: true,
		Body: []byte(`{"apiVersion":"writer.example.com/v1","kind":"Ship","metadata":{"generateName":"s-"},"spec":{"n":1.5}}`),
	}
	var r abi.Result
	await(t, "the custom resource is served", func() bool {
		r = e.do(ship).Results[0]
		return r.Reason != "NotFound"
	})
	if r.Outcome != abi.OutcomeOK || len(r.Name) != len("s-")+suffixLength || r.Encoding != abi.EncodingJSON || !strings.Contains(string(r.Body), `"n":1.5`) {
		t.Fatalf("created %+v", r)
	}
	ship.Verb, ship.Name, ship.Body, ship.WantBody = abi.VerbPatch, r.Name, []byte(`{"status":{"ok":true}}`), false
	ship.PatchType, ship.Subresource, ship.ResourceVersion = abi.PatchTypeMerge, "status", r.ResourceVersion
	report := e.must(ship)
	if r2 := report.Results[0]; r2.Outcome != abi.OutcomeOK || r2.ResourceVersion == r.ResourceVersion || report.Writes[0].UID != r.UID {
		t.Errorf("status %+v", report)
	}
	ship.ResourceVersion = report.Results[0].ResourceVersion
	if r3 := e.must(ship).Results[0]; r3.Outcome != abi.OutcomeUnchanged {
		t.Errorf("the same status again: %+v", r3)
	}
	ship.Verb, ship.Subresource, ship.Body, ship.ResourceVersion = abi.VerbDelete, "", nil, ""
	if w := e.must(ship).Writes; len(w) != 1 || !w[0].Deleted || w[0].UID != r.UID {
		t.Errorf("deletion: %+v", w)
	}
}

// TestOnlyMetadataComesBack: what nobody wants is not sent over the line.
func TestOnlyMetadataComesBack(t *testing.T) {
	e, c := newCutEnv(t)
	e.must(e.action(abi.VerbCreate, "Pod", "", e.pod("a")))
	if c.kind != "PartialObjectMetadata" {
		t.Errorf("the answer is a %q", c.kind)
	}
}

func TestEventIsRecorded(t *testing.T) {
	broadcaster := record.NewBroadcaster(record.WithContext(t.Context()))
	t.Cleanup(broadcaster.Shutdown)
	e := newEnv(t, func(cfg *Config) {
		cfg.Recorder = broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: cfg.Controller})
	})
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: e.client.CoreV1().Events("")})
	pod := e.must(e.action(abi.VerbCreate, "Pod", "", e.pod("a"))).Results[0]
	a := e.action(abi.VerbEvent, "Pod", "a", nil)
	a.UID, a.Event = pod.UID, &abi.Event{Type: "Normal", Reason: "Seen", Message: "the pod was seen, 100%"}
	e.must(a, a, a)
	await(t, "one event that counts to three", func() bool {
		list, err := e.client.CoreV1().Events(e.namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil || len(list.Items) != 1 || list.Items[0].Count != 3 {
			return false
		}
		got := &list.Items[0]
		if got.Source.Component != "test" || string(got.InvolvedObject.UID) != pod.UID || got.Message != a.Event.Message {
			t.Errorf("recorded %+v", got)
		}
		return true
	})
}
