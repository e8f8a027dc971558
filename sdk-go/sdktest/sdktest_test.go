package sdktest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	k8scorev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	sdkjson "github.com/loopdock/loopdock/sdk-go/json"
	"github.com/loopdock/loopdock/sdk-go/sdktest"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

var (
	pods    = &sdk.Kind{APIVersion: "v1", Kind: "Pod"}
	nodes   = &sdk.Kind{APIVersion: "v1", Kind: "Node"}
	configs = &sdk.Kind{APIVersion: "v1", Kind: "ConfigMap"}
	widgets = &sdk.Kind{APIVersion: "example.com/v1", Kind: "Widget"}
	secrets = &sdk.Kind{APIVersion: "v1", Kind: "Secret"}
)

// body is what the controller under test does; each test sets its own.
var body func(r *sdk.Reconcile) error

func init() {
	all := []string{"create", "update", "patch", "delete", "deletecollection"}
	sdk.Register(sdk.Module{Name: "test", Controllers: []sdk.Controller{
		{Name: "other", Primary: &sdk.Primary{Kind: nodes}, Reconcile: func(*sdk.Reconcile) error { return errors.New("the wrong one") }},
		{
			Name:    "test",
			Primary: &sdk.Primary{Kind: configs},
			Reads: []sdk.Read{
				{Kind: pods, Live: true, Indexes: []sdk.Index{{Name: "node", Path: sdk.Field(corev1.PodFields.Spec().NodeName())}}},
				{Kind: nodes},
				{Kind: widgets},
			},
			Access: []sdk.Access{
				{Kind: pods, Verbs: all},
				{Kind: pods, Subresource: "status", Verbs: all},
				{Kind: configs, Verbs: all},
				{Kind: widgets, Verbs: all},
				{Kind: widgets, Subresource: "status", Verbs: all},
			},
			Reconcile: func(r *sdk.Reconcile) error { return body(r) },
		},
	}})
}

func world(tb testing.TB, sources ...string) *sdktest.World {
	tb.Helper()
	w := sdktest.New(tb, sources...)
	w.Controller = "test"
	return w
}

func run(t *testing.T, w *sdktest.World, f func(r *sdk.Reconcile) error) *sdktest.Run {
	t.Helper()
	body = f
	return w.Reconcile("ns/main")
}

const objects = `
apiVersion: v1
kind: Node
metadata: {name: n1, uid: uid-n1}
---
apiVersion: v1
kind: Pod
metadata:
  name: a
  namespace: ns
  labels: {app: x, tier: front}
  ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: uid-n1, controller: true}]
spec: {nodeName: n1, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata:
  name: b
  namespace: ns
  labels: {app: x}
  ownerReferences: [{apiVersion: v1, kind: Node, name: n1, uid: uid-n1}]
---
apiVersion: v1
kind: Pod
metadata: {name: c, namespace: elsewhere, labels: {app: x}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: ns}
spec: {size: 3}
`

func TestQueriesMeanWhatTheHostMeans(t *testing.T) {
	selector := metav1.LabelSelector(nil).WithMatchLabels(metav1.LabelSelector(nil).MatchLabels().With("app", "x"))
	cases := map[string]struct {
		reason string
		query  sdk.Query
		want   []string
	}{
		"namespace":  {"only what is in it", sdk.Query{Namespace: "ns"}, []string{"a", "b"}},
		"everywhere": {"all namespaces", sdk.Query{AllNamespaces: true}, []string{"c", "a", "b"}},
		"selector":   {"as a message", sdk.Query{AllNamespaces: true, LabelSelector: selector}, []string{"c", "a", "b"}},
		"text":       {"as text", sdk.Query{Namespace: "ns", Selector: "tier=front"}, []string{"a"}},
		"both":       {"a conjunction", sdk.Query{Namespace: "ns", LabelSelector: selector, Selector: "!tier"}, []string{"b"}},
		"controller": {"one owner controls", sdk.Query{Namespace: "ns", ControllerUID: "uid-n1"}, []string{"a"}},
		"owner":      {"any owner", sdk.Query{Namespace: "ns", OwnerUID: "uid-n1"}, []string{"a", "b"}},
		"orphans":    {"an owner that does not control leaves an orphan", sdk.Query{AllNamespaces: true, Orphans: true}, []string{"c", "b"}},
		"index":      {"a declared one", sdk.Query{AllNamespaces: true, Index: "node", IndexValue: "n1"}, []string{"a"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.query.Kind = pods
			got := run(t, world(t, objects), func(r *sdk.Reconcile) error {
				list, err := sdk.List[corev1.Pod](r, tc.query)
				var names []string
				for _, p := range list {
					names = append(names, p.Metadata().Name())
				}
				if diff := cmp.Diff(tc.want, names); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
				return err
			})
			got.Want(t)
		})
	}
}

func TestGets(t *testing.T) {
	w := world(t, objects)
	w.RemoveLive("Pod", "ns", "b")
	run(t, w, func(r *sdk.Reconcile) error {
		a, err := sdk.Get[corev1.Pod](r, sdk.Query{Kind: pods, Namespace: "ns", Name: "a"})
		if err != nil {
			return err
		}
		for ref := range a.Metadata().OwnerReferences() {
			if node, err := sdk.Owner[corev1.Node](r, "ns", ref); err != nil || node.Metadata().Name() != "n1" {
				t.Errorf("the owner is %q, %v", node, err)
			}
			if _, err := sdk.Owner[corev1.Node](r, "ns", ref.WithUID("other")); !errors.Is(err, sdk.ErrNotFound) {
				t.Errorf("another UID gave %v", err)
			}
		}
		if _, err := r.Get(sdk.Query{Kind: pods, Namespace: "ns", Name: "b"}); err != nil {
			t.Errorf("the cache still has it: %v", err)
		}
		if _, err := r.Get(sdk.Query{Kind: pods, Namespace: "ns", Name: "b", Live: true}); !errors.Is(err, sdk.ErrNotFound) {
			t.Errorf("the API server has not: %v", err)
		}
		type widget struct{ Spec struct{ Size int } }
		if v, err := sdkjson.Get[widget](r, sdk.Query{Kind: widgets, Namespace: "ns", Name: "w"}); err != nil || v.Spec.Size != 3 {
			t.Errorf("the widget is %+v, %v", v, err)
		}
		meta, err := r.Get(sdk.Query{Kind: widgets, Namespace: "ns", Name: "w", MetadataOnly: true})
		if err != nil || corev1.Pod(meta.Body).Metadata().Name() != "w" {
			t.Errorf("its metadata is %q, %v", meta.Body, err)
		}
		return nil
	}).Want(t)
}

func TestActionsChangeTheWorld(t *testing.T) {
	w := world(t, objects)
	first := run(t, w, func(r *sdk.Reconcile) error {
		if r.Continues() {
			results := r.Results()
			if results[0].Name != "made-1" || results[2].Reason != sdk.Conflict || !results[3].Skipped() || len(r.Continuation()) != 1 {
				t.Errorf("results %+v", results)
			}
			return nil
		}
		pod := corev1.Pod(nil).WithMetadata(metav1.ObjectMeta(nil).WithGenerateName("made-"))
		r.Create(pods, "ns", "", pod)
		b, err := sdk.Get[corev1.Pod](r, sdk.Query{Kind: pods, Namespace: "ns", Name: "b"})
		if err != nil {
			return err
		}
		r.UpdateStatus(pods, "ns", "b", b.WithStatus(b.Status().WithPhase("Running")).WithSpec(nil))
		r.Delete(pods, "ns", "a").IfUID("other")
		r.Delete(pods, "ns", "b")
		r.Continue([]byte{1})
		return nil
	})
	first.Want(t,
		"create Pod ns/made-1",
		"update Pod/status ns/b",
		`delete Pod ns/a: Conflict: Operation cannot be fulfilled on pods "a": the UID is another`,
		"delete Pod ns/b: skipped")
	if p := sdktest.Get[*k8scorev1.Pod](w, "Pod", "ns", "b"); p.Status.Phase != "Running" || first.Calls != 2 {
		t.Errorf("the phase is %q after %d calls", p.Status.Phase, first.Calls)
	}
	run(t, w, func(r *sdk.Reconcile) error {
		stale := corev1.Pod(nil).WithMetadata(metav1.ObjectMeta(nil).WithName("b").WithResourceVersion("1"))
		batch := r.Batch(sdk.Parallel)
		batch.Update(pods, "ns", "b", stale)
		batch.Patch(pods, "ns", "b", sdk.JSONPatch, []byte(`[{"op":"add","path":"/metadata/labels/new","value":"y"}]`))
		batch.Delete(pods, "ns", "none").Tolerate(sdk.NotFound)
		if _, err := sdkjson.Patch(r, widgets, "ns", "w", map[string]any{"spec": map[string]any{"size": 5}}); err != nil {
			return err
		}
		r.Batch(sdk.Sequential).Always().DeleteCollection(pods, "ns", "app=x,!new")
		return nil
	})
	if diff := cmp.Diff([]string{"elsewhere/c", "ns/b", "ns/made-1"}, w.Names("Pod")); diff != "" {
		t.Errorf("left are (-want +got):\n%s", diff)
	}
	size, _, _ := unstructured.NestedFieldNoCopy(sdktest.Get[*unstructured.Unstructured](w, "Widget", "ns", "w").Object, "spec", "size")
	if size == 5.0 || size == int64(5) {
		t.Error("a batch after a failed one was performed")
	}
}

// TestCreatesAreIdempotent: what is there already and ours counts as created, as
// with a host, unless the guest wants to know.
func TestCreatesAreIdempotent(t *testing.T) {
	const owner = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: ns, uid: mine}"
	const child = `
apiVersion: v1
kind: Pod
metadata:
  name: p
  namespace: ns
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: c, uid: %s, controller: true}]
`
	const exists = `create Pod ns/p: AlreadyExists: pods "p" already exists`
	cases := map[string]struct {
		reason, child string
		tolerates     bool
		want          string
	}{
		"ours":      {"it counts as created", fmt.Sprintf(child, "mine"), false, "create Pod ns/p"},
		"theirs":    {"another one controls it", fmt.Sprintf(child, "theirs"), false, exists},
		"going":     {"it is not to stay", fmt.Sprintf(child, "mine") + "  deletionTimestamp: 2026-01-01T00:00:00Z\n  finalizers: [stay]\n", false, exists},
		"tolerated": {"the reason is told", fmt.Sprintf(child, "mine"), true, "create Pod ns/p"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			body = func(r *sdk.Reconcile) error {
				a := r.Create(pods, "ns", "p", corev1.Pod(nil).WithMetadata(metav1.ObjectMeta(nil).WithName("p")))
				if tc.tolerates {
					a.Tolerate(sdk.AlreadyExists)
				}
				return nil
			}
			run := world(t, owner, tc.child).Reconcile("ns/c")
			run.Want(t, tc.want)
			if got := run.Done[0].Result.Reason == sdk.AlreadyExists; got != (tc.want == exists || tc.tolerates) {
				t.Errorf("%s: the result is %+v", tc.reason, run.Done[0].Result)
			}
		})
	}
}

func TestMemoAndMetrics(t *testing.T) {
	w := world(t)
	run(t, w, func(r *sdk.Reconcile) error { r.SetMemo([]byte("kept")); r.Observe("m", 2); return nil })
	run(t, w, func(r *sdk.Reconcile) error {
		if other, err := r.MemoOf("ns", "main"); string(r.Memo()) != "kept" || err != nil || string(other) != "kept" {
			t.Errorf("the memo is %q, read as %q, %v", r.Memo(), other, err)
		}
		r.RequeueAfter(5)
		return sdk.Terminal(errors.New("enough"))
	}).Want(t, "terminal error: enough", "requeue after 5ns")
}

// recorder is a test that keeps what it is told.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(f string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(f, args...))
}

func TestWhatIsNotDeclaredIsDenied(t *testing.T) {
	rec := &recorder{TB: t}
	w := world(rec)
	run(t, w, func(r *sdk.Reconcile) error {
		if _, err := r.Get(sdk.Query{Kind: secrets, Name: "x"}); !errors.Is(err, sdk.ErrDenied) {
			t.Errorf("a secret: %v", err)
		}
		if _, err := r.Get(sdk.Query{Kind: nodes, Name: "x", Live: true}); !errors.Is(err, sdk.ErrDenied) {
			t.Errorf("a live node: %v", err)
		}
		r.Delete(nodes, "", "n1")
		return nil
	})
	want := []string{
		"denied: the manifest does not declare that Secret is read",
		"denied: the manifest does not declare that Node is read live",
		"denied: the manifest does not ask for delete of Node",
	}
	if diff := cmp.Diff(want, rec.errors); diff != "" {
		t.Errorf("it complained otherwise (-want +got):\n%s", diff)
	}
}

func TestResultsCanBePrepared(t *testing.T) {
	w := world(t, objects)
	w.OnAction = func(a *abi.Action) *abi.Result {
		return &abi.Result{Outcome: abi.OutcomeUnknown, Message: "lost " + a.Name}
	}
	run(t, w, func(r *sdk.Reconcile) error { r.Delete(pods, "ns", "a"); return nil }).Want(t, "delete Pod ns/a: unknown: lost a")
	if len(w.Names("Pod")) != 3 {
		t.Error("the prepared result did not stand for the action")
	}
}

func TestObjectsComeFromFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(file, []byte(objects), 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"elsewhere/c", "ns/a", "ns/b"}, world(t, file).Names("Pod")); diff != "" {
		t.Error(diff)
	}
}
