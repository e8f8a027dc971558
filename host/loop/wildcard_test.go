package loop_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

var every = &abi.Kind{APIVersion: "*", Kind: "*"}

// metadata fields of PartialObjectMetadata.
var (
	deletionField   = abi.FieldPath{Numbers: []uint32{1, 9}, Name: "metadata.deletionTimestamp"}
	ownersField     = abi.FieldPath{Numbers: []uint32{1, 13}, Name: "metadata.ownerReferences"}
	finalizersField = abi.FieldPath{Numbers: []uint32{1, 14}, Name: "metadata.finalizers"}
)

// wild is the manifest of a controller of everything that has owners or waits for
// a finalizer of the test's.
func (f *fixture) wild() abi.Controller {
	return abi.Controller{
		Name: "test",
		Wildcard: &abi.WildcardKeys{
			Filters: []abi.WildcardFilter{{HasOwners: true}, {Terminating: true, Finalizer: f.finalizer()}},
			Verbs:   []string{"delete"}, Except: []string{"events", "events.events.k8s.io"},
			Wakes: []abi.FieldPath{deletionField, ownersField, finalizersField},
		},
		Reads: []abi.KindRead{{
			Kind: every, MetadataOnly: true, Live: true,
			WakeDependents: abi.WakeDependentsChanged, DependentWakes: []abi.FieldPath{deletionField},
		}},
		Access: []abi.Access{{Kind: every, Verbs: []string{"delete", "patch"}}},
	}
}

func (f *fixture) finalizer() string { return f.namespace + "/hold" }

// runWild runs a controller with wildcard keys that has seen nothing of the other
// tests' objects, which the guest lets pass.
func (f *fixture) runWild(calls script) *running {
	return f.run(f.wild(), func(c *call) (*abi.Response, error) {
		if c.Key.Namespace != f.namespace {
			return &abi.Response{}, nil
		}
		return calls.guest(c)
	}, func(c *loop.Config) { c.SyncBound = 10 * time.Second })
}

func refTo(o *corev1.ConfigMap) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: o.Name, UID: o.UID}
}

// owned makes a ConfigMap with owners and finalizers.
func (f *fixture) owned(name string, finalizers []string, owners ...metav1.OwnerReference) *corev1.ConfigMap {
	f.t.Helper()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: owners, Finalizers: finalizers}}
	cm, err := f.client.CoreV1().ConfigMaps(f.namespace).Create(f.t.Context(), cm, metav1.CreateOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	return cm
}

func (f *fixture) deleteConfigMap(name string) {
	f.t.Helper()
	if err := f.client.CoreV1().ConfigMaps(f.namespace).Delete(f.t.Context(), name, metav1.DeleteOptions{}); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) patchConfigMap(name, patch string) {
	f.t.Helper()
	_, err := f.client.CoreV1().ConfigMaps(f.namespace).Patch(f.t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
}

// TestWildcardKeys: what passes a filter is a key, with kind and UID; other
// changes than those named don't wake; an owner's do; another UID is another key.
func TestWildcardKeys(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	f.runWild(calls)
	owner := f.owned("owner", []string{f.finalizer()})
	f.owned("free", nil)
	a := f.owned("a", nil, refTo(owner))
	c := calls.of(t, "a")
	want := abi.Key{Resource: "configmaps", Namespace: f.namespace, Name: "a", UID: string(a.UID)}
	if *c.Key != want || c.Object == nil || *c.Object.Kind != *configMaps || c.Object.Encoding != abi.EncodingProtobuf {
		t.Errorf("key %+v, object %+v", c.Key, c.Object)
	}
	c.done()
	f.patchConfigMap("a", `{"data":{"a":"b"}}`)
	f.patchConfigMap("owner", `{"data":{"a":"b"}}`)
	f.deleteConfigMap("owner") // it waits for its finalizer
	for range 2 {
		switch c := calls.next(t); c.name() {
		case "a":
			if !c.has(abi.ReasonTypeOwner) || len(c.Reasons) != 1 {
				t.Errorf("reasons %+v", c.Reasons)
			}
			c.done()
		case "owner":
			c.done()
		default:
			t.Errorf("key %s", c.name())
		}
	}
	f.patchConfigMap("a", `{"metadata":{"ownerReferences":null}}`)
	if c := calls.of(t, "a"); c.Object != nil {
		t.Error("an object without owners is still there")
	} else {
		c.done()
	}
	f.patchConfigMap("owner", `{"metadata":{"finalizers":null}}`)
	if c := calls.of(t, "owner"); c.Object != nil {
		t.Error("a deleted object is still there")
	} else {
		c.done()
	}
	f.deleteConfigMap("a")
	again := f.owned("a", nil, refTo(owner))
	c = calls.of(t, "a")
	if c.Key.UID != string(again.UID) {
		t.Errorf("key %+v", c.Key)
	}
	c.done()
}

// TestWildcardGone: an owner that was seen to go is gone, whatever a reference
// calls it; of others nothing is said.
func TestWildcardGone(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	f.runWild(calls)
	owner := f.owned("owner", nil)
	f.owned("a", nil, refTo(owner))
	ask := func(c *call, uid types.UID) abi.Answer {
		return c.read(t, abi.Query{Type: abi.QueryTypeOwner, Kind: secrets, Namespace: f.namespace, Name: "other", UID: string(uid), Quiet: true})
	}
	c := calls.of(t, "a")
	if a := ask(c, owner.UID); a.Status != abi.AnswerStatusNotFound || a.Gone {
		t.Errorf("answer %+v", a)
	}
	c.done()
	f.deleteConfigMap("owner")
	c = calls.of(t, "a")
	if !c.has(abi.ReasonTypeOwner) {
		t.Errorf("reasons %+v", c.Reasons)
	}
	if a := ask(c, owner.UID); a.Status != abi.AnswerStatusNotFound || !a.Gone {
		t.Errorf("answer %+v", a)
	}
	if a := c.read(t, abi.Query{Type: abi.QueryTypeOwner, Kind: secrets, Namespace: "elsewhere", Name: "other", UID: string(owner.UID), Quiet: true}); a.Gone {
		t.Errorf("it was none that an object elsewhere could have: %+v", a)
	}
	if a := ask(c, "never"); a.Status != abi.AnswerStatusNotFound || a.Gone {
		t.Errorf("answer %+v", a)
	}
	c.done()
}

// TestWildcardReadsWake: a list over all kinds wakes when what it would give
// differs, in a kind that came later too.
func TestWildcardReadsWake(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	f.runWild(calls)
	owner := f.owned("owner", []string{f.finalizer()})
	f.deleteConfigMap("owner")
	read := func(c *call, want int) {
		t.Helper()
		a := c.read(t, abi.Query{Type: abi.QueryTypeList, Kind: every, AllNamespaces: true, OwnerUID: string(owner.UID), Wakes: []abi.FieldPath{ownersField}})
		if len(a.Objects) != want {
			t.Errorf("answer %+v, want %d objects", a, want)
		}
		c.done()
	}
	// both takes the calls for the owner and for what it owns, in any order.
	both := func(name string, want int) {
		t.Helper()
		for range 2 {
			if c := calls.next(t); c.name() == name {
				c.done()
			} else {
				read(c, want)
			}
		}
	}
	read(calls.of(t, "owner"), 0)
	f.owned("a", nil, refTo(owner))
	both("a", 1)
	f.patchConfigMap("a", `{"data":{"a":"b"}}`)
	widgets := hosttest.Define(t, f.conn, "wakes.example.com")
	widgets.Create(t, f.namespace, "w", []metav1.OwnerReference{refTo(owner)})
	both("w", 2)
	f.deleteConfigMap("a")
	both("a", 1)
	widgets.Remove(t)
	both("w", 0)
}

// TestWildcardParks: a key does not run before the cache of whatever kind shows
// what the key has written.
func TestWildcardParks(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.runWild(calls)
	widgets := hosttest.Define(t, f.conn, "parks.example.com")
	owner := f.owned("owner", nil)
	w := widgets.Create(t, f.namespace, "w", []metav1.OwnerReference{refTo(owner)})
	c := calls.of(t, "w")
	f.wire.Hold("widgets")
	c.ends(&abi.Response{Continues: true, Batches: []abi.Batch{{Actions: []abi.Action{{
		Verb: abi.VerbDelete, Kind: c.Object.Kind, Namespace: f.namespace, Name: "w", UID: string(w.GetUID()),
	}}}}}, nil)
	hosttest.Eventually(t, "the key is parked", func() bool { return r.Status().Parked == 1 })
	f.wire.Pass("widgets")
	c = calls.of(t, "w")
	if c.Object != nil || len(c.Results) != 1 || c.Results[0].Outcome != abi.OutcomeOK {
		t.Errorf("object %v, results %+v", c.Object, c.Results)
	}
	c.done()
}

// TestWildcardKindFails: a kind that can't be listed delays the others no longer
// than the bound, and has its keys once it can be.
func TestWildcardKindFails(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	widgets := hosttest.Define(t, f.conn, "fails.example.com")
	owner := f.owned("owner", nil)
	widgets.Create(t, f.namespace, "w", []metav1.OwnerReference{refTo(owner)})
	f.owned("a", nil, refTo(owner))
	f.wire.Lose(func(req *http.Request) error {
		if strings.Contains(req.URL.Path, "fails.example.com") {
			return errLost
		}
		return nil
	}, nil)
	calls := make(script)
	r := f.runWild(calls)
	calls.of(t, "a").done()
	if waiting := strings.Join(r.Status().Waiting, "\n"); !strings.Contains(waiting, "Widget.v1.fails.example.com") {
		t.Errorf("it waits for %q", waiting)
	}
	f.wire.Lose(nil, nil)
	calls.of(t, "w").done()
}

// TestWildcardSwap: another version runs every key again, and finds the kinds by
// itself.
func TestWildcardSwap(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	r := f.runWild(calls)
	owner := f.owned("owner", nil)
	f.owned("a", nil, refTo(owner))
	calls.of(t, "a").ends(&abi.Response{Memo: []byte("kept")}, nil)
	m := f.wild()
	next := f.version(m, "v2", func(c *call) (*abi.Response, error) {
		if c.Key.Namespace != f.namespace {
			return &abi.Response{}, nil
		}
		return calls.guest(c)
	}, nil)
	if err := r.Swap(t.Context(), next); err != nil {
		t.Fatal(err)
	}
	c := calls.of(t, "a")
	if !c.has(abi.ReasonTypeSwap) || string(c.Memo) != "kept" {
		t.Errorf("reasons %+v, memo %q", c.Reasons, c.Memo)
	}
	c.done()
	f.deleteConfigMap("owner")
	calls.of(t, "a").done()
	if !r.Knows(owner.UID) || r.Knows("nobody") {
		t.Error("an owner that is named is known, and nobody else")
	}
}
