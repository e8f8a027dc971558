package sdktest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
)

// running is held by a reconcile: the native SDK has one host.
var running sync.Mutex

// Run is what one reconcile did, with all calls that continued it.
type Run struct {
	// Done is the actions and what became of them, in order.
	Done []Done
	// Err is the last call's error, empty if it had none; Terminal says that
	// retrying would not help.
	Err      string
	Terminal bool
	// RequeueAfter is when the last call asked to be called again, zero for never.
	RequeueAfter time.Duration
	// Calls is how many calls of the controller it took.
	Calls int
	// Reads is what was asked.
	Reads []abi.Query
	// Metrics is what was reported.
	Metrics []abi.Sample
	// Log is the log lines.
	Log []string
	// Response is the last call's answer as the guest gave it.
	Response abi.Response
}

// Done is an action and what became of it.
type Done struct {
	abi.Action
	Result abi.Result
}

// Reconcile runs the controller for the object with that namespace and name,
// "default/web", or name, "web".
func (w *World) Reconcile(key string) *Run {
	w.tb.Helper()
	namespace, name, namespaced := strings.Cut(key, "/")
	if !namespaced {
		namespace, name = "", key
	}
	return w.ReconcileKey(abi.Key{Namespace: namespace, Name: name})
}

// ReconcileKey runs the controller for a key.
func (w *World) ReconcileKey(key abi.Key) *Run {
	w.tb.Helper()
	running.Lock()
	defer running.Unlock()
	run := &Run{}
	number, controller := w.controllerIndex()
	h := &host{World: w, controller: controller, run: run}
	sdk.UseHost(h)
	defer sdk.UseHost(nil)

	req := abi.Request{
		Controller: number, Key: &key, NowNS: w.Now.UnixNano(), Seed: 1,
		Attempt: w.Attempt, Reasons: w.Reasons, Config: []byte(w.Config), Memo: w.memos[key],
	}
	for {
		req.Object, h.owner = h.primary(key), h.ownerUID(key)
		if err := run.Response.Decode(append([]byte(nil), sdk.Serve(req.Append(nil))...)); err != nil {
			w.tb.Fatalf("cannot decode the response: %v", err)
		}
		run.Calls++
		req.Memo, req.Results = run.Response.Memo, h.perform(&run.Response)
		w.memos[key] = run.Response.Memo
		run.Metrics = append(run.Metrics, run.Response.Metrics...)
		if !run.Response.Continues || req.Depth == abi.MaxContinuations {
			break
		}
		req.Continuation = run.Response.Continuation
		req.Depth++
	}
	run.RequeueAfter = time.Duration(run.Response.RequeueAfterNS)
	if e := run.Response.Error; e != nil {
		run.Err, run.Terminal = e.Message, e.Terminal
	}
	return run
}

func (w *World) controllerIndex() (uint32, *abi.Controller) {
	for i := range w.manifest.Controllers {
		if w.Controller == "" || w.manifest.Controllers[i].Name == w.Controller {
			return uint32(i), &w.manifest.Controllers[i]
		}
	}
	w.tb.Fatalf("the module has no controller %q", w.Controller)
	return 0, nil
}

// primary is the key's object as the request holds it, nil if there is none.
func (h *host) primary(key abi.Key) *abi.Object {
	if h.controller.Wildcard != nil {
		return h.keyObject(key)
	}
	p := h.controller.Primary
	if p == nil {
		return nil
	}
	answer := h.get(&abi.Query{Type: abi.QueryTypeGet, Kind: p.Kind, Namespace: key.Namespace, Name: key.Name, Encoding: p.Encoding})
	if len(answer.Objects) == 0 {
		return nil
	}
	return &answer.Objects[0]
}

// ownerUID is the UID of the key's object, empty if there is none.
func (h *host) ownerUID(key abi.Key) string {
	p := h.controller.Primary
	if p == nil {
		return ""
	}
	o := h.objects[id{gvkOf(p.Kind).GroupKind(), types.NamespacedName{Namespace: key.Namespace, Name: key.Name}}]
	if o == nil {
		return ""
	}
	return string(accessor(o).GetUID())
}

// Lines describes the run, a line for each action and for how it ended.
func (r *Run) Lines() []string {
	var out []string
	for i := range r.Done {
		out = append(out, r.Done[i].String())
	}
	if r.Err != "" {
		kind := "error: "
		if r.Terminal {
			kind = "terminal error: "
		}
		out = append(out, kind+r.Err)
	}
	if r.RequeueAfter != 0 {
		out = append(out, fmt.Sprint("requeue after ", r.RequeueAfter))
	}
	return out
}

// Want fails the test unless the run has exactly these lines.
func (r *Run) Want(tb testing.TB, lines ...string) {
	tb.Helper()
	if diff := cmp.Diff(lines, r.Lines()); diff != "" {
		tb.Errorf("the reconcile did something else (-want +got):\n%s", diff)
	}
}

// Body decodes the object in an action's body.
func Body[T runtime.Object](tb testing.TB, d *Done) T {
	tb.Helper()
	o, err := decode(gvkOf(d.Kind), d.Action.Body, d.Action.Encoding)
	if err != nil {
		tb.Fatal(err)
	}
	out, ok := o.(T)
	if !ok {
		tb.Fatalf("the body is a %T", o)
	}
	return out
}
