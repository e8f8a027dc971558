package loop_test

import (
	"slices"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

var (
	dataField = abi.FieldPath{Numbers: []uint32{2}, Name: "data"}
	zoneLabel = abi.FieldPath{Numbers: []uint32{1, 11}, Name: "metadata.labels", MapKey: "zone"}
	typeOfCM  = abi.FieldPath{Numbers: []uint32{4}, Name: "immutable"}
)

// TestReadsWake: what a key has read wakes it when the fields that it named
// change; what it has read quietly does not.
func TestReadsWake(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	calls := make(script)
	f.run(f.manifest(), calls.guest, nil)
	get := func(name string) abi.Query {
		return abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: f.namespace, Name: name}
	}
	data, quiet := get("data"), get("quiet")
	data.Wakes, quiet.Quiet = []abi.FieldPath{dataField}, true
	for _, name := range []string{"data", "quiet", "marker"} {
		f.configMap(name, "1")
	}
	readAll := func(c *call) {
		if got := c.read(t, data); got.Status != abi.AnswerStatusOK {
			t.Errorf("answer %+v", got)
		}
		c.read(t, quiet)
		c.read(t, get("absent"))
		c.done()
	}
	f.key("a")
	readAll(calls.of(t, "a"))
	f.key("marker")
	marker := calls.of(t, "marker")
	marker.read(t, get("marker"))
	marker.done()
	mark := func(value string) { // what came before it has been looked at
		t.Helper()
		f.configMap("marker", value)
		c := calls.of(t, "marker")
		c.read(t, get("marker"))
		c.done()
	}
	f.configMap("quiet", "2")
	f.configMap("data", "1", "label=new")
	f.configMap("unread", "1")
	mark("2")
	f.configMap("data", "2", "label=new")
	c := calls.of(t, "a")
	if len(c.Reasons) != 1 || c.Reasons[0].Name != "data" || c.Reasons[0].Type != abi.ReasonTypeUpdated || c.Reasons[0].Kind.Kind != "ConfigMap" {
		t.Errorf("reasons %+v", c.Reasons)
	}
	readAll(c)
	f.configMap("absent", "1")
	c = calls.of(t, "a")
	if !c.has(abi.ReasonTypeAdded) {
		t.Errorf("reasons %+v", c.Reasons)
	}
	c.done() // without reading
	mark("3")
	f.configMap("absent", "2")
	f.configMap("data", "3", "label=new")
	mark("4")
}

// TestPrimary: only objects that the selector selects are keys, only the fields
// named wake, and one that drops out is absent.
func TestPrimary(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	m := f.manifest()
	m.Primary.Selector = "touched=yes"
	m.Primary.Wakes = []abi.FieldPath{{Numbers: []uint32{1, 11}, Name: "metadata.labels", MapKey: "touched"}}
	calls := make(script)
	f.run(m, calls.guest, nil)
	f.key("a")
	f.touch("a", "no")
	f.key("b")
	f.touch("b", "yes")
	c := calls.of(t, "b")
	if c.Object == nil {
		t.Error("the key has no object")
	}
	c.done()
	f.patch("b", `{"metadata":{"annotations":{"a":"b"}}}`)
	f.touch("a", "yes")
	calls.of(t, "a").done()
	f.touch("b", "no")
	c = calls.of(t, "b")
	if c.Object != nil {
		t.Error("a key whose object is not selected any more has one")
	}
	c.done()
}

// TestWakeDependents: a change of an owner wakes what names it, as the manifest
// says.
func TestWakeDependents(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name             string
		when             abi.WakeDependents
		changed, deleted bool
	}{
		{"never", abi.WakeDependentsNever, false, false},
		{"deleted", abi.WakeDependentsDeleted, false, true},
		{"changed", abi.WakeDependentsChanged, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			m := f.manifest()
			m.Reads[0].WakeDependents = tc.when
			calls := make(script)
			f.run(m, calls.guest, nil)
			owner := f.configMap("owner", "1")
			ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}
			f.key("a", ref)
			calls.of(t, "a").done()
			watch := abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: f.namespace, Name: "marker"}
			f.key("marker")
			c := calls.of(t, "marker")
			c.read(t, watch)
			c.done()
			expect := func(woken bool, value string) {
				t.Helper()
				if woken {
					c := calls.of(t, "a")
					if !c.has(abi.ReasonTypeOwner) || c.Reasons[0].Name != "owner" {
						t.Errorf("reasons %+v", c.Reasons)
					}
					c.done()
				}
				f.configMap("marker", value)
				c := calls.of(t, "marker")
				c.read(t, watch)
				c.done()
			}
			f.configMap("owner", "2")
			expect(tc.changed, "1")
			if err := f.client.CoreV1().ConfigMaps(f.namespace).Delete(t.Context(), "owner", metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			expect(tc.deleted, "2")
		})
	}
}

// TestVirtualKeys: keys that are not objects.
func TestVirtualKeys(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		mapping *abi.KeyMapping
		single  bool
		want    func(namespace string) []string
	}{
		{"singleton", nil, true, func(string) []string { return []string{"test"} }},
		{"singleton of a kind", &abi.KeyMapping{Rule: abi.KeyRuleSingleton}, false, func(string) []string { return []string{"test"} }},
		{"namespace", &abi.KeyMapping{Rule: abi.KeyRuleNamespace}, false, func(ns string) []string { return []string{ns} }},
		{"object", &abi.KeyMapping{Rule: abi.KeyRuleObject}, false, func(ns string) []string { return []string{ns + "/one", ns + "/three", ns + "/two"} }},
		{"entry of a map", &abi.KeyMapping{Rule: abi.KeyRuleField, Field: &zoneLabel}, false, func(ns string) []string { return []string{ns + "/east", ns + "/west"} }},
		{"field that is absent", &abi.KeyMapping{Rule: abi.KeyRuleField, Field: &typeOfCM}, false, func(string) []string { return nil }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.configMap("one", "1", "zone=east") // before the start
			m := abi.Controller{Name: "test", Virtual: &abi.VirtualKeys{Singleton: tc.single}}
			if tc.mapping != nil {
				tc.mapping.Kind = configMaps
				m.Virtual.Mappings = []abi.KeyMapping{*tc.mapping}
			}
			// Mappings cover all namespaces; those of other tests don't count.
			m.Reads = []abi.KindRead{{Kind: configMaps, Namespaces: []string{f.namespace}}}
			var mu sync.Mutex
			runs := map[string]int{}
			r := f.run(m, func(c *call) (*abi.Response, error) {
				mu.Lock()
				defer mu.Unlock()
				if c.Object != nil {
					t.Error("a virtual key has an object")
				}
				runs[loop.Key{Namespace: c.Key.Namespace, Name: c.Key.Name}.String()]++
				return &abi.Response{}, nil
			}, nil)
			f.configMap("two", "1", "zone=west")
			f.configMap("three", "1")
			want := tc.want(f.namespace)
			keys := func() []string {
				mu.Lock()
				defer mu.Unlock()
				var out []string
				for k := range runs {
					out = append(out, k)
				}
				slices.Sort(out)
				return out
			}
			hosttest.Eventually(t, "the keys have run", func() bool { return len(keys()) >= len(want) })
			hosttest.Eventually(t, "nothing is queued", func() bool { return r.Status().Queued == 0 })
			if got := keys(); !slices.Equal(got, want) {
				t.Errorf("keys %v, want %v", got, want)
			}
		})
	}
}
