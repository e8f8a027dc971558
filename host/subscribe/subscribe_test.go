package subscribe_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

var pods = schema.GroupVersionKind{Version: "v1", Kind: "Pod"}

// pod makes a cached Pod; edit may change it first.
func pod(tb testing.TB, name, labelPairs string, edit ...func(*corev1.Pod)) *informercache.Object {
	tb.Helper()
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: types.UID("uid-" + name), Labels: map[string]string{}}}
	for pair := range strings.SplitSeq(labelPairs, ",") {
		if k, v, ok := strings.Cut(pair, "="); ok {
			p.Labels[k] = v
		}
	}
	for _, f := range edit {
		f(p)
	}
	b, err := p.Marshal()
	if err != nil {
		tb.Fatal(err)
	}
	o, err := informercache.Parse(b, informercache.Protobuf)
	if err != nil {
		tb.Fatal(err)
	}
	return o
}

func controlledBy(uid types.UID) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.OwnerReferences = append(p.OwnerReferences, metav1.OwnerReference{UID: uid, Controller: new(true)})
	}
}

func onNode(name string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = name } }

func selector(tb testing.TB, s string) labels.Selector {
	tb.Helper()
	out, err := labels.Parse(s)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func list(q informercache.Query) *subscribe.Read { return &subscribe.Read{GVK: pods, Query: q} }

func TestWoken(t *testing.T) {
	none := types.UID("")
	owner := types.UID("rs-1")
	nodeIndex := informercache.Index{Name: "node", Path: informercache.Path{Numbers: []int32{2, 10}, Name: "spec.nodeName"}}
	nodeName := subscribe.Field{Path: nodeIndex.Path}
	appLabel := subscribe.Field{Path: informercache.Path{Numbers: []int32{1, 11}, Name: "metadata.labels"}, MapKey: "app"}
	cases := map[string]struct {
		reason   string
		read     *subscribe.Read
		old, cur *informercache.Object
		want     bool
	}{
		"absent object appears":    {"a read of nothing is a read", &subscribe.Read{GVK: pods, Name: "a", Query: informercache.Query{Namespace: "ns"}}, nil, pod(t, "a", ""), true},
		"another object appears":   {"names differ", &subscribe.Read{GVK: pods, Name: "a", Query: informercache.Query{Namespace: "ns"}}, nil, pod(t, "b", ""), false},
		"another namespace":        {"namespaces differ", &subscribe.Read{GVK: pods, Name: "a", Query: informercache.Query{Namespace: "other"}}, nil, pod(t, "a", ""), false},
		"another kind":             {"kinds differ", &subscribe.Read{GVK: schema.GroupVersionKind{Version: "v1", Kind: "Node"}, Name: "a", Query: informercache.Query{Namespace: "ns"}}, nil, pod(t, "a", ""), false},
		"child appears":            {"by controller", list(informercache.Query{Namespace: "ns", Controller: &owner}), nil, pod(t, "a", "", controlledBy(owner)), true},
		"child of another":         {"by controller", list(informercache.Query{Namespace: "ns", Controller: &owner}), nil, pod(t, "a", "", controlledBy("rs-2")), false},
		"child released":           {"the answer loses it", list(informercache.Query{Namespace: "ns", Controller: &owner}), pod(t, "a", "", controlledBy(owner)), pod(t, "a", ""), true},
		"child in all namespaces":  {"cluster-wide reads match namespaced objects", list(informercache.Query{Controller: &owner}), nil, pod(t, "a", "", controlledBy(owner)), true},
		"owned, not controlled":    {"by any owner", list(informercache.Query{Owner: owner}), nil, pod(t, "a", "", controlledBy(owner)), true},
		"orphan that matches":      {"a conjunction", list(informercache.Query{Namespace: "ns", Controller: &none, Selector: selector(t, "app=web")}), nil, pod(t, "a", "app=web"), true},
		"orphan that does not":     {"a conjunction", list(informercache.Query{Namespace: "ns", Controller: &none, Selector: selector(t, "app=web")}), nil, pod(t, "a", "app=db"), false},
		"matching but controlled":  {"a conjunction", list(informercache.Query{Namespace: "ns", Controller: &none, Selector: selector(t, "app=web")}), nil, pod(t, "a", "app=web", controlledBy(owner)), false},
		"orphan without selector":  {"orphans alone", list(informercache.Query{Namespace: "ns", Controller: &none}), nil, pod(t, "a", ""), true},
		"orphan is adopted":        {"the answer loses it", list(informercache.Query{Namespace: "ns", Controller: &none, Selector: selector(t, "app=web")}), pod(t, "a", "app=web"), pod(t, "a", "app=web", controlledBy(owner)), true},
		"set selector":             {"several values", list(informercache.Query{Namespace: "ns", Selector: selector(t, "app in (a,b)")}), nil, pod(t, "a", "app=b"), true},
		"exists selector":          {"by key", list(informercache.Query{Namespace: "ns", Selector: selector(t, "app")}), nil, pod(t, "a", "app=b"), true},
		"not-exists selector":      {"no label to look by", list(informercache.Query{Namespace: "ns", Selector: selector(t, "!app")}), nil, pod(t, "a", "x=y"), true},
		"label leaves selector":    {"old state counts", list(informercache.Query{Namespace: "ns", Selector: selector(t, "app=web")}), pod(t, "a", "app=web"), pod(t, "a", "app=db"), true},
		"index value":              {"by index", &subscribe.Read{GVK: pods, Query: informercache.Query{Index: "node", IndexValue: "n1"}, Index: &nodeIndex}, nil, pod(t, "a", "", onNode("n1")), true},
		"other index value":        {"by index", &subscribe.Read{GVK: pods, Query: informercache.Query{Index: "node", IndexValue: "n1"}, Index: &nodeIndex}, nil, pod(t, "a", "", onNode("n2")), false},
		"field that matters":       {"named fields", &subscribe.Read{GVK: pods, Query: informercache.Query{Namespace: "ns"}, Wakes: []subscribe.Field{nodeName}}, pod(t, "a", ""), pod(t, "a", "", onNode("n1")), true},
		"field that does not":      {"named fields", &subscribe.Read{GVK: pods, Query: informercache.Query{Namespace: "ns"}, Wakes: []subscribe.Field{nodeName}}, pod(t, "a", ""), pod(t, "a", "x=y"), false},
		"map entry that matters":   {"an entry", &subscribe.Read{GVK: pods, Query: informercache.Query{Namespace: "ns"}, Wakes: []subscribe.Field{appLabel}}, pod(t, "a", "app=1"), pod(t, "a", "app=2"), true},
		"map entry that does not":  {"another entry", &subscribe.Read{GVK: pods, Query: informercache.Query{Namespace: "ns"}, Wakes: []subscribe.Field{appLabel}}, pod(t, "a", "app=1"), pod(t, "a", "app=1,x=y"), false},
		"deleted with named field": {"existence always matters", &subscribe.Read{GVK: pods, Query: informercache.Query{Namespace: "ns"}, Wakes: []subscribe.Field{nodeName}}, pod(t, "a", ""), nil, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			x := subscribe.New[string]()
			s := x.Begin("key")
			s.Add(tc.read)
			s.Commit()
			var got []string
			x.Woken(pods, tc.old, tc.cur, func(k string) { got = append(got, k) })
			if (len(got) == 1) != tc.want || len(got) > 1 {
				t.Errorf("%s: woken %v, want %v", tc.reason, got, tc.want)
			}
		})
	}
}

func TestSessions(t *testing.T) {
	x := subscribe.New[string]()
	get := func(name string) *subscribe.Read {
		return &subscribe.Read{GVK: pods, Name: name, Query: informercache.Query{Namespace: "ns"}}
	}
	woken := func(name string) []string {
		var got []string
		x.Woken(pods, nil, pod(t, name, ""), func(k string) { got = append(got, k) })
		slices.Sort(got)
		return got
	}
	s := x.Begin("k")
	s.Add(get("a"))
	if diff := cmp.Diff([]string{"k"}, woken("a")); diff != "" {
		t.Errorf("a read counts from Add on: %s", diff)
	}
	s.Commit()

	s = x.Begin("k")
	s.Add(get("b")) // fails before it comes to a: not committed
	if diff := cmp.Diff([][]string{{"k"}, {"k"}}, [][]string{woken("a"), woken("b")}); diff != "" {
		t.Errorf("a reconcile that failed keeps old and new reads: %s", diff)
	}
	s = x.Begin("k")
	s.Keep()
	s.Add(get("c"))
	s.Commit()
	if woken("a") == nil || woken("c") == nil {
		t.Error("a continuation keeps the reads that it goes on from")
	}
	s = x.Begin("k")
	s.Add(get("b"))
	s.Commit()
	if woken("a") != nil || woken("c") != nil || woken("b") == nil {
		t.Error("reads that were not repeated must be forgotten")
	}
	other := x.Begin("l")
	other.Add(get("b"))
	other.Commit()
	if got := x.Stats(); got.Reads != 1 || got.Links != 2 || got.Keys != 2 {
		t.Errorf("equal reads are stored once: %+v", got)
	}
	x.Drop("k")
	x.Drop("l")
	if got := x.Stats(); got != (subscribe.Stats{}) {
		t.Errorf("an empty index holds nothing: %+v", got)
	}
}

func TestAKeyIsNamedOnce(t *testing.T) {
	x := subscribe.New[string]()
	s := x.Begin("k")
	s.Add(&subscribe.Read{GVK: pods, Name: "a", Query: informercache.Query{Namespace: "ns"}})
	s.Add(list(informercache.Query{Namespace: "ns"}))
	s.Add(list(informercache.Query{Selector: selector(t, "app")}))
	n := 0
	x.Woken(pods, nil, pod(t, "a", "app=x"), func(string) { n++ })
	if n != 1 {
		t.Errorf("named %d times", n)
	}
}

// TestHammer runs sessions, drops and changes at once, for the race detector,
// and ends with an index that is empty.
func TestHammer(t *testing.T) {
	x := subscribe.New[int]()
	objects := make([]*informercache.Object, 8)
	for i := range objects {
		objects[i] = pod(t, fmt.Sprint("p", i), fmt.Sprint("app=", i%3), controlledBy(types.UID(fmt.Sprint("rs", i%2))))
	}
	var wg sync.WaitGroup
	for key := range 8 {
		wg.Go(func() {
			for round := range 200 {
				s := x.Begin(key)
				uid := types.UID(fmt.Sprint("rs", round%2))
				s.Add(list(informercache.Query{Namespace: "ns", Controller: &uid}))
				s.Add(list(informercache.Query{Selector: selector(t, fmt.Sprint("app=", round%3))}))
				x.Woken(pods, objects[round%8], objects[(round+1)%8], func(int) {})
				s.Commit()
			}
			x.Drop(key)
		})
	}
	wg.Wait()
	if got := x.Stats(); got != (subscribe.Stats{}) {
		t.Errorf("left over: %+v", got)
	}
}

// BenchmarkWoken measures one change against many subscriptions: it must not
// grow with their number.
func BenchmarkWoken(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			x := subscribe.New[int]()
			for key := range n {
				uid := types.UID(fmt.Sprint("rs", key))
				s := x.Begin(key)
				s.Add(list(informercache.Query{Namespace: "ns", Controller: &uid}))
				none := types.UID("")
				s.Add(list(informercache.Query{Namespace: "ns", Controller: &none, Selector: selector(b, fmt.Sprint("app=a", key))}))
				s.Commit()
			}
			o := pod(b, "p", "app=a7", controlledBy("rs7"))
			b.ResetTimer()
			for range b.N {
				x.Woken(pods, nil, o, func(int) {})
			}
		})
	}
}
