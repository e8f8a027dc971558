package writer

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/policy"
)

// perform performs one action and gives its result.
func perform(t *testing.T, w *Writer, a abi.Action) (abi.Result, Report) {
	t.Helper()
	report, err := w.Perform(t.Context(), Owner{}, []abi.Batch{{Actions: []abi.Action{a}}})
	if err != nil {
		t.Fatal(err)
	}
	return report.Results[0], report
}

func TestActionsThatMakeNoSenseAreNotSent(t *testing.T) {
	node := &abi.Kind{APIVersion: "v1", Kind: "Node"}
	named := create("a")
	named.Name = "b"
	other := create("a")
	other.Kind = &abi.Kind{APIVersion: "v1", Kind: "Secret"}
	cases := map[string]struct {
		reason string
		action abi.Action
		want   string
		text   string
	}{
		"no namespace":           {"the path would be another", abi.Action{Verb: abi.VerbDelete, Kind: &podKind, Name: "a"}, "Invalid", "no namespace"},
		"a namespace too many":   {"policy has judged by it", abi.Action{Verb: abi.VerbDelete, Kind: node, Namespace: "ns", Name: "a"}, "Invalid", "no namespaces"},
		"a delete without name":  {"would delete all", abi.Action{Verb: abi.VerbDelete, Kind: &podKind, Namespace: "ns"}, "Invalid", "no name"},
		"status without name":    {"would be the object named status", abi.Action{Verb: abi.VerbPatch, PatchType: abi.PatchTypeMerge, Body: []byte("{}"), Kind: &podKind, Namespace: "ns", Subresource: "status"}, "Invalid", "no name"},
		"a collection with name": {"is no collection", abi.Action{Verb: abi.VerbDeleteCollection, Kind: &podKind, Namespace: "ns", Name: "a"}, "Invalid", "collection"},
		"a way up":               {"names are single path segments", abi.Action{Verb: abi.VerbDelete, Kind: &podKind, Namespace: "ns", Name: "../../kube-system/pods/a"}, "Invalid", "may not contain"},
		"dots":                   {"nor is that a name", abi.Action{Verb: abi.VerbDelete, Kind: &podKind, Namespace: "..", Name: "a"}, "Invalid", "may not be"},
		"a long subresource":     {"subresources are as well", abi.Action{Verb: abi.VerbDelete, Kind: &podKind, Namespace: "ns", Name: "a", Subresource: "x/y"}, "Invalid", "may not contain"},
		"other name":             {"action and body disagree", named, "Invalid", `named "a"`},
		"other kind":             {"so they do here", other, "Invalid", `"Secret"`},
		"no body":                {"there is nothing to create", abi.Action{Verb: abi.VerbCreate, Kind: &podKind, Namespace: "ns"}, "Invalid", "no body"},
		"a broken body":          {"not even protobuf", abi.Action{Verb: abi.VerbCreate, Kind: &podKind, Namespace: "ns", Body: []byte("\x0a\xff")}, "Invalid", "malformed"},
		"no patch type":          {"patches have one", abi.Action{Verb: abi.VerbPatch, Kind: &podKind, Namespace: "ns", Name: "a", Body: []byte("{}")}, "Invalid", "type of the patch"},
		"a protobuf patch":       {"there is no such thing", abi.Action{Verb: abi.VerbApply, Kind: &podKind, Namespace: "ns", Name: "a", Body: []byte("x"), Encoding: abi.EncodingProtobuf}, "Invalid", "JSON"},
		"no such version":        {"nothing to take it from", abi.Action{Verb: abi.VerbDelete, Kind: &podKind, Namespace: "ns", Name: "a", ResourceVersionFromDependency: true}, "Invalid", "no resource version"},
		"no such kind":           {"as the API server says it", abi.Action{Verb: abi.VerbDelete, Kind: &abi.Kind{APIVersion: "v1", Kind: "Missing"}, Namespace: "ns", Name: "a"}, "NotFound", "no matches"},
		"denied":                 {"not granted", abi.Action{Verb: abi.VerbUpdate, Kind: &podKind, Namespace: "other", Name: "a"}, "Denied", "not granted"},
		"no verb":                {"nothing is asked for", abi.Action{Kind: &podKind, Namespace: "ns"}, "Denied", "unknown verb"},
		"no recorder":            {"the host records no events", abi.Action{Verb: abi.VerbEvent, Kind: &podKind, Name: "a"}, "Unsupported", "no events"},
		"no provider":            {"the host has none of that name", abi.Action{Verb: abi.VerbExternal, External: &abi.External{Provider: "cloud", Operation: "x"}}, "Unsupported", "no such provider"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			w := fakeWriter(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s %s was sent", r.Method, r.URL) }), func(c *Config) {
				c.Grant = &policy.Grant{
					Rules:     []policy.Rule{{APIVersion: "*", Kind: "*", Subresource: "*", Verbs: []string{"*"}, Namespaces: []string{"ns", ".."}}, {APIVersion: "*", Kind: "*", Subresource: "*", Verbs: []string{"delete", "patch"}}},
					Externals: []policy.External{{Provider: "cloud", Operations: []string{"*"}}},
				}
			})
			got, report := perform(t, w, tc.action)
			if got.Outcome != abi.OutcomeFailed || got.Reason != tc.want || !strings.Contains(got.Message, tc.text) {
				t.Errorf("%s: %+v, want %s: ...%s...", tc.reason, got, tc.want, tc.text)
			}
			if event := tc.action.Verb == abi.VerbEvent; report.Failed == event {
				t.Errorf("%s: the reconcile failed: %v; events never make it fail, all else does", tc.reason, report.Failed)
			}
		})
	}
}

func TestDeniedErrorKeepsItsHint(t *testing.T) {
	w := fakeWriter(t, &fake{}, func(c *Config) { c.Grant = &policy.Grant{Controller: "test"} })
	_, report := perform(t, w, create("a"))
	var failure *ActionError
	if !errors.As(report.Errors, &failure) || failure.Hint() != "- {apiVersion: v1, kind: Pod, verbs: [create], namespaces: [ns]}" {
		t.Errorf("hint of %v", report.Errors)
	}
}

// TestBusy: a request is sent again after 429 with a time to wait, and only then.
func TestBusy(t *testing.T) {
	var sent atomic.Int32
	w := fakeWriter(t, http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if sent.Add(1) < 3 {
			out.Header().Set("Retry-After", "7")
			out.WriteHeader(http.StatusTooManyRequests)
			return
		}
		(&fake{}).ServeHTTP(out, r)
	}), nil)
	fakeClock := clocktesting.NewFakeClock(time.Unix(0, 0))
	w.client.clock = fakeClock
	ended := make(chan abi.Result)
	go func() { // received below
		report, _ := w.Perform(t.Context(), Owner{}, []abi.Batch{{Actions: creates("a")}})
		ended <- report.Results[0]
	}()
	for range 2 {
		for !fakeClock.HasWaiters() {
			select {
			case r := <-ended:
				t.Fatalf("did not wait: %+v", r)
			default:
			}
		}
		fakeClock.Step(7 * time.Second)
	}
	if r := <-ended; r.Outcome != abi.OutcomeOK || sent.Load() != 3 {
		t.Errorf("%+v after %d requests", r, sent.Load())
	}
}

type provider struct{ err error }

func (p provider) Call(_ context.Context, operation string, payload []byte) ([]byte, error) {
	return append([]byte(operation+":"), payload...), p.err
}

func TestExternal(t *testing.T) {
	call := abi.Action{Verb: abi.VerbExternal, WantBody: true, External: &abi.External{Provider: "p", Operation: "op", Payload: []byte("x")}}
	w := fakeWriter(t, &fake{}, func(c *Config) {
		c.Grant = &policy.Grant{Externals: []policy.External{{Provider: "p", Operations: []string{"op"}}}}
		c.Providers = map[string]Provider{"p": provider{}}
	})
	if got, _ := perform(t, w, call); got.Outcome != abi.OutcomeOK || string(got.Body) != "op:x" {
		t.Errorf("got %+v", got)
	}
	w.cfg.Providers["p"] = provider{err: errors.New("down")}
	if got, _ := perform(t, w, call); got.Outcome != abi.OutcomeFailed || got.Reason != "External" || got.Message != "down" {
		t.Errorf("got %+v", got)
	}
	w.cfg.Fence = &counted{}
	if got, _ := perform(t, w, call); got.Reason != "LeaseLost" {
		t.Errorf("behind a closed fence: %+v", got)
	}
}

func TestEvent(t *testing.T) {
	recorder := record.NewFakeRecorder(10)
	recorder.IncludeObject = true
	w := fakeWriter(t, &fake{}, func(c *Config) { c.Recorder, c.Grant = recorder, nil })
	a := abi.Action{
		Verb: abi.VerbEvent, Kind: &podKind, Namespace: "ns", Name: "a",
		Event: &abi.Event{Type: corev1.EventTypeWarning, Reason: "Bad", Message: strings.Repeat("é", 600)},
	}
	if got, _ := perform(t, w, a); got.Outcome != abi.OutcomeOK {
		t.Errorf("got %+v", got)
	}
	if got := <-recorder.Events; !strings.HasPrefix(got, "Warning Bad éé") || !strings.Contains(got, "é...") {
		t.Errorf("recorded %q", got)
	}
	a.Event.Type = "Loud"
	if got, _ := perform(t, w, a); got.Reason != "Invalid" {
		t.Errorf("of a made-up type: %+v", got)
	}
}

func TestCancelledContextSendsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fakeWriter(t, &fake{}, nil).Perform(ctx, Owner{}, []abi.Batch{{Actions: creates("a")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Perform = %v", err)
	}
}

func TestConfigIsChecked(t *testing.T) {
	_, err := New(Config{Timeout: -1})
	for _, part := range []string{"no controller", "no connection", "no mapper", "negative"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error does not say %q: %v", part, err)
		}
	}
}
