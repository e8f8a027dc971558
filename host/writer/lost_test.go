package writer

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
)

// newCutEnv is an env whose writer's connection can be cut.
func newCutEnv(t *testing.T) (*env, *cable) {
	t.Helper()
	c := &cable{}
	return newEnv(t, func(cfg *Config) { cfg.REST.Wrap(c.wrap) }), c
}

func (e *env) generated(uid string) *corev1.Pod {
	pod := e.pod("")
	pod.GenerateName = "web-"
	return ownedBy(pod, uid)
}

func TestLostAnswerOfCreateMakesNoSecondObject(t *testing.T) {
	owner := Owner{UID: "rs-uid"}
	for name, pod := range map[string]func(*env) *corev1.Pod{
		"generated name": func(e *env) *corev1.Pod { return e.generated(owner.UID) },
		"fixed name":     func(e *env) *corev1.Pod { return ownedBy(e.pod("web-0"), owner.UID) },
	} {
		t.Run(name, func(t *testing.T) {
			e, c := newCutEnv(t)
			c.set(nil, writes)
			a := e.action(abi.VerbCreate, "Pod", "", pod(e))
			a.WantBody = true
			report := e.doFor(owner, a)
			r := report.Results[0]
			if report.Failed || r.Outcome != abi.OutcomeOK || len(r.Body) == 0 || e.countPods() != 1 || c.sent != 1 {
				t.Fatalf("%+v, %d pods of %d requests", r, e.countPods(), c.sent)
			}
			if got := e.getPod(r.Name); r.UID != string(got.UID) || report.Writes[0].ResourceVersion != got.ResourceVersion {
				t.Errorf("result %+v, writes %+v", r, report.Writes)
			}
		})
	}
}

func TestLostRequestOfCreateFails(t *testing.T) {
	e, c := newCutEnv(t)
	c.set(writes, nil)
	report := e.doFor(Owner{UID: "rs-uid"}, e.action(abi.VerbCreate, "Pod", "", e.generated("rs-uid")))
	if r := report.Results[0]; r.Outcome != abi.OutcomeFailed || !errors.Is(report.Errors, errCut) || len(report.Unresolved) != 0 || e.countPods() != 0 {
		t.Errorf("%+v, %v, %d pods", r, report.Errors, e.countPods())
	}
}

func TestWhatStaysUnknownIsResolvedLater(t *testing.T) {
	cases := map[string]struct {
		reason string
		before bool // the request is lost, not the answer
		pods   int
	}{
		"performed":     {"the object is there, and is to be seen", false, 1},
		"not performed": {"there is no object", true, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			e, c := newCutEnv(t)
			if tc.before {
				c.set(anything, nil)
			} else {
				c.set(reads, writes)
			}
			report := e.doFor(Owner{UID: "rs-uid"}, e.action(abi.VerbCreate, "Pod", "", e.generated("rs-uid")))
			if r := report.Results[0]; r.Outcome != abi.OutcomeUnknown || !report.Failed || len(report.Unresolved) != 1 {
				t.Fatalf("%s: %+v, unresolved %+v", tc.reason, r, report.Unresolved)
			}
			if _, err := e.Resolve(t.Context(), report.Unresolved[0]); err == nil {
				t.Errorf("%s: resolved through a cut connection", tc.reason)
			}
			c.set(nil, nil)
			w, err := e.Resolve(t.Context(), report.Unresolved[0])
			if err != nil || e.countPods() != tc.pods || (w.ResourceVersion != "") != (tc.pods == 1) {
				t.Errorf("%s: %+v, %v, %d pods", tc.reason, w, err, e.countPods())
			}
		})
	}
}

func TestTakenNames(t *testing.T) {
	e := newEnv(t, nil)
	create := func(name, podOwner string, generated bool) abi.Action {
		pod := ownedBy(e.pod(name), podOwner)
		if generated {
			pod.Name, pod.GenerateName = "", name
		}
		return e.action(abi.VerbCreate, "Pod", "", pod)
	}
	us := Owner{UID: "us"}
	ours := e.doFor(us, create("ours", "us", false)).Results[0]
	e.doFor(us, create("theirs", "them", false))

	if r := e.doFor(us, create("ours", "us", false)).Results[0]; r.Outcome != abi.OutcomeOK || r.UID != ours.UID || r.ResourceVersion == "" {
		t.Errorf("an object that we control already: %+v", r)
	}
	if r := e.doFor(us, create("theirs", "us", false)).Results[0]; r.Outcome != abi.OutcomeFailed || r.Reason != "AlreadyExists" {
		t.Errorf("an object that another controls: %+v", r)
	}
	if r := e.doFor(Owner{}, create("ours", "us", false)).Results[0]; r.Reason != "AlreadyExists" || r.Outcome != abi.OutcomeFailed {
		t.Errorf("for a key that is no object: %+v", r)
	}
	if _, err := e.client.CoreV1().Pods(e.namespace).Patch(t.Context(), "ours", "application/merge-patch+json", []byte(`{"metadata":{"finalizers":["a/b"]}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	e.must(e.action(abi.VerbDelete, "Pod", "ours", nil))
	if r := e.doFor(us, create("ours", "us", false)).Results[0]; r.Reason != "AlreadyExists" || r.Outcome != abi.OutcomeFailed {
		t.Errorf("our object on its way out: %+v", r)
	}

	suffixes := []string{"a", "a", "b"} // the second draw meets the first one's object
	e.suffix = func() string {
		s := suffixes[0]
		suffixes = suffixes[1:]
		return s
	}
	for _, want := range []string{"web-a", "web-b"} {
		if r := e.doFor(us, create("web-", "us", true)).Results[0]; r.Name != want {
			t.Errorf("drew %+v, want %s", r, want)
		}
	}
	e.suffix = func() string { return "a" }
	if r := e.doFor(us, create("web-", "us", true)).Results[0]; r.Reason != "AlreadyExists" {
		t.Errorf("where all names are taken: %+v", r)
	}
}

func TestLostAnswersOfOtherWrites(t *testing.T) {
	e, c := newCutEnv(t)
	created := e.must(e.action(abi.VerbCreate, "ConfigMap", "", e.configMap("c"))).Results[0]
	changed := e.configMap("c")
	changed.Data["k"] = "w"
	update := e.action(abi.VerbUpdate, "ConfigMap", "c", changed)
	update.ResourceVersion = created.ResourceVersion
	remove := e.action(abi.VerbDelete, "ConfigMap", "c", nil)

	c.set(writes, nil)
	for _, a := range []abi.Action{update, remove} {
		report := e.do(a)
		if r := report.Results[0]; r.Outcome != abi.OutcomeFailed || len(report.Unresolved)+len(report.Writes) != 0 {
			t.Errorf("%s that did not arrive: %+v", verbName(a.Verb), report)
		}
	}
	c.set(nil, writes)
	report := e.do(update)
	if r := report.Results[0]; r.Outcome != abi.OutcomeUnknown || !report.Failed || len(report.Unresolved) != 0 ||
		len(report.Writes) != 1 || report.Writes[0].ResourceVersion == created.ResourceVersion {
		t.Errorf("an update: the version that may be its own must be seen: %+v", report)
	}
	report = e.do(remove)
	if r := report.Results[0]; r.Outcome != abi.OutcomeOK || report.Failed || !report.Writes[0].Deleted {
		t.Errorf("a deletion is there to be seen: %+v", report)
	}
}
