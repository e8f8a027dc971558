//go:build !wasip1

package sdk_test

import (
	"errors"
	"testing"
	"time"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

func podBody(name, uid string) []byte {
	return corev1.Pod(nil).WithMetadata(metav1.ObjectMeta(nil).WithName(name).WithUID(uid))
}

func TestReconcileSeesItsRequest(t *testing.T) {
	req := abi.Request{
		Key:          &abi.Key{Namespace: "ns", Name: "a"},
		Object:       &abi.Object{Body: podBody("a", "u"), ObservedNS: []int64{5e9}},
		Reasons:      []abi.Reason{{Type: abi.ReasonTypeAdded}},
		NowNS:        1_700_000_000_000_000_001,
		Attempt:      2,
		Config:       []byte("{}"),
		Memo:         []byte("m"),
		Continuation: []byte("c"),
		Depth:        1,
		Results:      []abi.Result{{Outcome: abi.OutcomeFailed, Reason: "Forbidden", Message: "no", Causes: []abi.Cause{{Reason: "X"}}}, {Outcome: abi.OutcomeUnchanged}, {Outcome: abi.OutcomeSkipped}},
	}
	serve(t, req, func(r *sdk.Reconcile) error {
		if r.Key().Name != "a" || !r.Exists() || corev1.Pod(r.Object()).Metadata().UID() != "u" {
			t.Errorf("key %+v, object %q", r.Key(), r.Object())
		}
		if r.Now() != time.Unix(0, req.NowNS).UTC() || r.Attempt() != 2 || string(r.Config()) != "{}" || string(r.Memo()) != "m" {
			t.Errorf("now %v attempt %d config %q memo %q", r.Now(), r.Attempt(), r.Config(), r.Memo())
		}
		if !r.Continues() || string(r.Continuation()) != "c" || r.Depth() != 1 || len(r.Reasons()) != 1 {
			t.Errorf("continues %v %q", r.Continues(), r.Continuation())
		}
		if r.Observed(0) != time.Unix(5, 0).UTC() || !r.Observed(1).IsZero() {
			t.Errorf("observed %v %v", r.Observed(0), r.Observed(1))
		}
		results := r.Results()
		if err := results[0].Err(); err == nil || err.Error() != "no" || !results[0].HasCause("X") || results[0].HasCause("Y") {
			t.Errorf("the first result's error is %v", err)
		}
		if !results[1].OK() || results[1].Err() != nil || !results[2].Skipped() || results[2].Err() != nil || results[2].OK() {
			t.Error("unchanged is success, skipped is neither")
		}
		return nil
	})
}

func TestAbsentObjectAndKey(t *testing.T) {
	serve(t, abi.Request{Controller: 1}, func(r *sdk.Reconcile) error {
		if r.Exists() || r.Object() != nil || r.Key() != (sdk.Key{}) || r.Continues() {
			t.Error("an empty request shows something")
		}
		return nil
	})
}

func failedBy(reason, message string) sdk.Result {
	return sdk.Result{Result: abi.Result{Outcome: abi.OutcomeFailed, Reason: reason, Message: message}}
}

func TestEndings(t *testing.T) {
	failure := errors.New("no luck")
	conflict := &sdk.ActionError{Reason: "Conflict", Message: "too late"}
	cases := map[string]struct {
		reason string
		f      func(r *sdk.Reconcile) error
		check  func(out abi.Response) bool
	}{
		"memo stays":   {"a memo that is not set is kept", func(*sdk.Reconcile) error { return nil }, func(o abi.Response) bool { return string(o.Memo) == "old" }},
		"memo set":     {"the new one replaces it", func(r *sdk.Reconcile) error { r.SetMemo([]byte("new")); return nil }, func(o abi.Response) bool { return string(o.Memo) == "new" }},
		"memo emptied": {"nil forgets it", func(r *sdk.Reconcile) error { r.SetMemo(nil); return nil }, func(o abi.Response) bool { return len(o.Memo) == 0 }},
		"error":        {"an error is retried", func(*sdk.Reconcile) error { return failure }, func(o abi.Response) bool { return o.Error.Message == "no luck" && !o.Error.Terminal }},
		"terminal":     {"a marked error is not", func(*sdk.Reconcile) error { return sdk.Terminal(failure) }, func(o abi.Response) bool { return o.Error.Message == "no luck" && o.Error.Terminal }},
		"conflict":     {"a failed action's reason goes along", func(*sdk.Reconcile) error { return sdk.Terminal(conflict) }, func(o abi.Response) bool { return o.Error.Reason == "Conflict" }},
		"conflicts": {
			"so does the first one's of several", func(*sdk.Reconcile) error {
				return sdk.Failures("cannot write", []sdk.Result{{}, failedBy("Conflict", "too late"), failedBy("NotFound", "gone")})
			},
			func(o abi.Response) bool {
				return o.Error.Reason == "Conflict" && o.Error.Message == "cannot write: too late; gone"
			},
		},
		"no failures":    {"none is no error", func(*sdk.Reconcile) error { return sdk.Failures("cannot write", []sdk.Result{{}}) }, func(o abi.Response) bool { return o.Error == nil }},
		"terminal nil":   {"marking nothing is nothing", func(*sdk.Reconcile) error { return sdk.Terminal(nil) }, func(o abi.Response) bool { return o.Error == nil }},
		"wrapped":        {"wrapping keeps the mark", func(*sdk.Reconcile) error { return errors.Join(sdk.Terminal(failure)) }, func(o abi.Response) bool { return o.Error.Terminal }},
		"requeue":        {"the shortest time counts", func(r *sdk.Reconcile) error { r.RequeueAfter(9); r.RequeueAfter(5); r.RequeueAfter(7); return nil }, func(o abi.Response) bool { return o.RequeueAfterNS == 5 }},
		"requeue at 0":   {"at once is not never", func(r *sdk.Reconcile) error { r.RequeueAfter(0); return nil }, func(o abi.Response) bool { return o.RequeueAfterNS == 1 }},
		"continue":       {"with bytes", func(r *sdk.Reconcile) error { r.Continue([]byte("x")); return nil }, func(o abi.Response) bool { return o.Continues && string(o.Continuation) == "x" }},
		"continue empty": {"without bytes", func(r *sdk.Reconcile) error { r.Continue(nil); return nil }, func(o abi.Response) bool { return o.Continues }},
		"metric":         {"samples pass", func(r *sdk.Reconcile) error { r.Observe("m", 1.5, "l"); return nil }, func(o abi.Response) bool { return o.Metrics[0].Value == 1.5 && o.Metrics[0].Labels[0] == "l" }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if out := serve(t, abi.Request{Memo: []byte("old")}, tc.f); !tc.check(out) {
				t.Errorf("%s: got %+v", tc.reason, out)
			}
		})
	}
}

func TestPanicIsLoggedAndGoesOn(t *testing.T) {
	h := &fakeHost{}
	sdk.UseHost(h)
	defer sdk.UseHost(nil)
	defer func() {
		if p := recover(); p == nil {
			t.Error("the panic was swallowed")
		}
		if len(h.lines) != 1 || h.lines[0] != `reconcile panicked controller=pods panic="at the disco"` {
			t.Errorf("logged %q", h.lines)
		}
	}()
	serve(t, abi.Request{}, func(*sdk.Reconcile) error { panic("at the disco") })
}

func TestLogLines(t *testing.T) {
	h := &fakeHost{}
	sdk.UseHost(h)
	defer sdk.UseHost(nil)
	serve(t, abi.Request{}, func(r *sdk.Reconcile) error {
		r.Info("plain")
		r.Warn("values", "n", 3, "s", "a b", "e", errors.New("no"), "d", time.Second, "nil", nil, "empty", "", "b", true, "f", 1.5, "odd")
		return nil
	})
	want := []string{"plain", `values n=3 s="a b" e=no d=1s nil=nil empty="" b=true f=1.5 odd`}
	for i := range want {
		if h.lines[i] != want[i] {
			t.Errorf("got  %s\nwant %s", h.lines[i], want[i])
		}
	}
}
