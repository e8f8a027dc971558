package reads_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host/policy"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

func TestMain(m *testing.M) { planetest.Main(m) }

var (
	configMaps = &abi.Kind{APIVersion: "v1", Kind: "ConfigMap"}
	secrets    = &abi.Kind{APIVersion: "v1", Kind: "Secret"}
	namespaces = &abi.Kind{APIVersion: "v1", Kind: "Namespace"}
	nothing    = &abi.Kind{APIVersion: "nowhere.example.com/v1", Kind: "Thing"}
)

// notes keeps what was read.
type notes []*subscribe.Read

func (n *notes) Add(r *subscribe.Read) { *n = append(*n, r) }

// reader opens a reader of a controller that declares reads, on the shared plane.
func reader(t *testing.T, declared []abi.KindRead) (*reads.Reader, *notes) {
	t.Helper()
	conn := planetest.Shared(t)
	client := discovery.NewDiscoveryClientForConfigOrDie(conn)
	mapper := informercache.NewMapper(client, clock.RealClock{})
	cache, err := informercache.New(informercache.Config{REST: conn, Mapper: mapper, Clock: clock.RealClock{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var ended sync.WaitGroup
	ended.Go(func() { // the cleanup waits
		if err := cache.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	live, err := informercache.NewRawClient(conn, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &abi.Controller{Name: "test", Reads: declared}
	grant, _ := policy.Intersect(m, nil)
	served := &reads.Served{Client: client}
	watches := reads.Open(cache, served, m)
	t.Cleanup(func() { watches.Release(); cancel(); ended.Wait() })
	if err := watches.WaitForSync(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	var seen notes
	return reads.New(&reads.Config{
		Watches: watches, Grant: grant, Transcoder: informercache.NewTranscoder(1 << 20), Live: live, Mapper: mapper,
		Discovery: served, Memo: func(k *abi.Key) []byte { return []byte("memo of " + k.Name) },
	}, &seen), &seen
}

// ask asks one query.
func ask(t *testing.T, r *reads.Reader, q abi.Query) abi.Answer {
	t.Helper()
	b, err := r.Read(t.Context(), (&abi.Queries{Queries: []abi.Query{q}}).Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	var out abi.Answers
	if err := out.Decode(b); err != nil || len(out.Answers) != 1 {
		t.Fatalf("answers %v, %v", out.Answers, err)
	}
	return out.Answers[0]
}

// names are those of an answer's objects.
func names(t *testing.T, a abi.Answer) []string {
	t.Helper()
	out := make([]string, 0, len(a.Objects))
	for i := range a.Objects {
		e := informercache.Protobuf
		if a.Objects[i].Encoding == abi.EncodingJSON {
			e = informercache.JSON
		}
		o, err := informercache.Parse(a.Objects[i].Body, e)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, o.Name())
	}
	slices.Sort(out)
	return out
}

// TestQueries asks the same of the cache and, where that can be, of the API server.
func TestQueries(t *testing.T) {
	ns := planetest.Namespace(t)
	owner := create(t, ns, "owner", nil)
	yes := true
	ref := metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}
	controller := ref
	controller.Controller = &yes
	create(t, ns, "child", map[string]string{"app": "web"}, controller)
	create(t, ns, "cousin", map[string]string{"app": "web"}, ref)
	create(t, ns, "orphan", map[string]string{"app": "web", "tier": "back"})
	r, _ := reader(t, []abi.KindRead{{Kind: configMaps, Namespaces: []string{ns}, Live: true}})
	selector, err := (&metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "tier", Operator: metav1.LabelSelectorOpExists}}}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	list := func(change func(*abi.Query)) abi.Query {
		q := abi.Query{Type: abi.QueryTypeList, Kind: configMaps, Namespace: ns, Selector: "app=web"}
		change(&q)
		return q
	}
	cases := map[string]struct {
		reason string
		query  abi.Query
		want   []string
	}{
		"get":            {"by name", abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: ns, Name: "child"}, []string{"child"}},
		"selector":       {"as text", list(func(*abi.Query) {}), []string{"child", "cousin", "orphan"}},
		"label selector": {"as the message that objects hold, with the text besides", list(func(q *abi.Query) { q.LabelSelector = selector }), []string{"orphan"}},
		"controller":     {"the one that manages it", list(func(q *abi.Query) { q.ControllerUID = string(owner.UID) }), []string{"child"}},
		"owner uid":      {"any owner", list(func(q *abi.Query) { q.OwnerUID = string(owner.UID) }), []string{"child", "cousin"}},
		"orphans":        {"that nobody controls", list(func(q *abi.Query) { q.Orphans = true }), []string{"cousin", "orphan"}},
		"conjunction":    {"all conditions hold", list(func(q *abi.Query) { q.Orphans, q.OwnerUID = true, string(owner.UID) }), []string{"cousin"}},
		"owner":          {"by an owner reference", abi.Query{Type: abi.QueryTypeOwner, Kind: configMaps, Namespace: ns, Name: "owner", UID: string(owner.UID)}, []string{"owner"}},
	}
	for name, tc := range cases {
		for _, live := range []bool{false, true} {
			where := map[bool]string{false: "cached", true: "live"}[live]
			t.Run(name+" "+where, func(t *testing.T) {
				q := tc.query
				q.Live = live
				a := ask(t, r, q)
				if diff := cmp.Diff(tc.want, names(t, a)); a.Status != abi.AnswerStatusOK || diff != "" {
					t.Errorf("%s: status %d %s\n%s", tc.reason, a.Status, a.Message, diff)
				}
			})
		}
	}
}

func create(t *testing.T, ns, name string, labels map[string]string, owners ...metav1.OwnerReference) *corev1.ConfigMap {
	t.Helper()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels, OwnerReferences: owners}, Data: map[string]string{"key": "value"}}
	made, err := kubernetes.NewForConfigOrDie(planetest.Shared(t)).CoreV1().ConfigMaps(ns).Create(t.Context(), cm, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestRefusals: what is wrong with a query is said; it is never an empty answer.
func TestRefusals(t *testing.T) {
	ns := planetest.Namespace(t)
	owner := create(t, ns, "owner", nil)
	r, _ := reader(t, []abi.KindRead{{Kind: configMaps, Namespaces: []string{ns}, Live: true}})
	get := func(change func(*abi.Query)) abi.Query {
		q := abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: ns, Name: "owner"}
		change(&q)
		return q
	}
	cases := map[string]struct {
		reason string
		query  abi.Query
		status abi.AnswerStatus
		text   string
	}{
		"absent":             {"is an answer", get(func(q *abi.Query) { q.Name = "nobody" }), abi.AnswerStatusNotFound, ""},
		"absent live":        {"is one there too", get(func(q *abi.Query) { q.Name, q.Live = "nobody", true }), abi.AnswerStatusNotFound, "not found"},
		"other uid":          {"an owner of the same name is another", get(func(q *abi.Query) { q.Type, q.UID = abi.QueryTypeOwner, "x" }), abi.AnswerStatusNotFound, ""},
		"same uid":           {"the owner itself", get(func(q *abi.Query) { q.Type, q.UID = abi.QueryTypeOwner, string(owner.UID) }), abi.AnswerStatusOK, ""},
		"no name":            {"a get names an object", get(func(q *abi.Query) { q.Name = "" }), abi.AnswerStatusInvalid, "names no object"},
		"no kind":            {"a read has a kind", abi.Query{Type: abi.QueryTypeGet, Name: "x"}, abi.AnswerStatusInvalid, "names no kind"},
		"unknown type":       {"of a later ABI", abi.Query{Type: 99}, abi.AnswerStatusInvalid, "query type 99"},
		"other namespace":    {"outside the declared ones", get(func(q *abi.Query) { q.Namespace = "default" }), abi.AnswerStatusDenied, "not granted"},
		"other kind":         {"not declared", get(func(q *abi.Query) { q.Kind = secrets }), abi.AnswerStatusDenied, "not granted"},
		"other version":      {"the same kind in a version that nobody watches", get(func(q *abi.Query) { q.Kind = &abi.Kind{APIVersion: "v2", Kind: "ConfigMap"} }), abi.AnswerStatusInvalid, "declares no reads"},
		"selector":           {"a selector that can't be read", abi.Query{Type: abi.QueryTypeList, Kind: configMaps, Namespace: ns, Selector: "a in"}, abi.AnswerStatusInvalid, "selector"},
		"unknown index":      {"an index that is not declared", abi.Query{Type: abi.QueryTypeList, Kind: configMaps, Namespace: ns, Index: "x"}, abi.AnswerStatusInvalid, `no index "x"`},
		"live index":         {"the API server has no index", abi.Query{Type: abi.QueryTypeList, Kind: configMaps, Namespace: ns, Index: "x", Live: true}, abi.AnswerStatusInvalid, "only the cache has it"},
		"protobuf from JSON": {"JSON is always to be had from protobuf", get(func(q *abi.Query) { q.Encoding = abi.EncodingJSON }), abi.AnswerStatusOK, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			a := ask(t, r, tc.query)
			if a.Status != tc.status || !strings.Contains(a.Message, tc.text) {
				t.Errorf("%s: %d %q, want %d ...%s...", tc.reason, a.Status, a.Message, tc.status, tc.text)
			}
		})
	}
	if _, err := r.Read(t.Context(), []byte{0xff}); err == nil {
		t.Error("malformed queries are answered")
	}
}

// TestNoSuchKind: an owner of a kind that is not served is told from one that is
// not there.
func TestNoSuchKind(t *testing.T) {
	r, _ := reader(t, []abi.KindRead{{Kind: namespaces}})
	r.Grant.Reads = append(r.Grant.Reads, policy.Read{Kind: *nothing, Live: true})
	for _, live := range []bool{false, true} {
		a := ask(t, r, abi.Query{Type: abi.QueryTypeOwner, Kind: nothing, Name: "x", Live: live})
		if a.Status != abi.AnswerStatusNoSuchKind {
			t.Errorf("live %v: %d %s", live, a.Status, a.Message)
		}
	}
}

// TestShown: a right to metadata, or to what a selector selects, shows no more.
func TestShown(t *testing.T) {
	ns := planetest.Namespace(t)
	create(t, ns, "shown", map[string]string{"app": "web"})
	create(t, ns, "hidden", map[string]string{"app": "db"})
	r, _ := reader(t, []abi.KindRead{{Kind: configMaps, Namespaces: []string{ns}, Live: true}})
	for i := range r.Grant.Reads {
		r.Grant.Reads[i].Selector, r.Grant.Reads[i].MetadataOnly = "app=web", true
	}
	for _, live := range []bool{false, true} {
		a := ask(t, r, abi.Query{Type: abi.QueryTypeList, Kind: configMaps, Namespace: ns, Live: live})
		if diff := cmp.Diff([]string{"shown"}, names(t, a)); diff != "" {
			t.Errorf("live %v\n%s", live, diff)
		}
		for i := range a.Objects {
			if strings.Contains(string(a.Objects[i].Body), "value") {
				t.Errorf("live %v: it shows the data", live)
			}
		}
		if a := ask(t, r, abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: ns, Name: "hidden", Live: live}); a.Status != abi.AnswerStatusNotFound {
			t.Errorf("live %v: the hidden one: %d", live, a.Status)
		}
	}
}

// TestNotes: cached reads are subscriptions; live and quiet ones are none.
func TestNotes(t *testing.T) {
	ns := planetest.Namespace(t)
	r, seen := reader(t, []abi.KindRead{{Kind: configMaps, Namespaces: []string{ns}, Live: true}})
	get := abi.Query{Type: abi.QueryTypeGet, Kind: configMaps, Namespace: ns, Name: "absent", Wakes: []abi.FieldPath{{Numbers: []uint32{2}, Name: "data"}}}
	live, quiet := get, get
	live.Live, quiet.Quiet = true, true
	for _, q := range []abi.Query{live, quiet, get} {
		ask(t, r, q)
	}
	if len(*seen) != 1 {
		t.Fatalf("%d notes", len(*seen))
	}
	if n := (*seen)[0]; n.Name != "absent" || len(n.Wakes) != 1 || n.Wakes[0].Path.Name != "data" {
		t.Errorf("%+v", n)
	}
}

// TestOthers: discovery and the memos of other keys.
func TestOthers(t *testing.T) {
	r, _ := reader(t, nil)
	a := ask(t, r, abi.Query{Type: abi.QueryTypeDiscovery})
	found := slices.ContainsFunc(a.Resources, func(s abi.ServedResource) bool {
		return s.Group == "apps" && s.Resource == "deployments" && s.Kind == "Deployment" && s.Namespaced && s.Preferred && slices.Contains(s.Verbs, "delete")
	})
	if a.Status != abi.AnswerStatusOK || !found {
		t.Errorf("discovery: %d %s, %d resources", a.Status, a.Message, len(a.Resources))
	}
	if a := ask(t, r, abi.Query{Type: abi.QueryTypeMemo, Name: "x"}); string(a.Memo) != "memo of x" {
		t.Errorf("memo: %q", a.Memo)
	}
}
