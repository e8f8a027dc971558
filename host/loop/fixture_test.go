package loop_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/policy"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/sandbox"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
)

func TestMain(m *testing.M) { planetest.Main(m) }

var (
	replicaSets = &abi.Kind{APIVersion: "apps/v1", Kind: "ReplicaSet"}
	configMaps  = &abi.Kind{APIVersion: "v1", Kind: "ConfigMap"}
	secrets     = &abi.Kind{APIVersion: "v1", Kind: "Secret"}
)

// call is one call of a guest, which the test answers.
type call struct {
	*abi.Request
	ctx    context.Context //nolint:containedctx // the call's
	reader sandbox.Reader
	answer chan answer
}

type answer struct {
	resp *abi.Response
	err  error
}

// name is the key's.
func (c *call) name() string { return c.Key.Name }

// has reports whether a reason is among the call's.
func (c *call) has(r abi.ReasonType) bool {
	for i := range c.Reasons {
		if c.Reasons[i].Type == r {
			return true
		}
	}
	return false
}

// read asks one query.
func (c *call) read(t *testing.T, q abi.Query) abi.Answer {
	t.Helper()
	b, err := c.reader.Read(c.ctx, (&abi.Queries{Queries: []abi.Query{q}}).Append(nil))
	if err != nil {
		t.Error(err)
		return abi.Answer{}
	}
	var out abi.Answers
	if err := out.Decode(b); err != nil || len(out.Answers) != 1 {
		t.Errorf("answers %v, %v", out.Answers, err)
		return abi.Answer{}
	}
	return out.Answers[0]
}

// ends answers the call.
func (c *call) ends(resp *abi.Response, err error) { c.answer <- answer{resp, err} }

// done answers that all is well.
func (c *call) done() { c.ends(&abi.Response{}, nil) }

// guestFunc is a guest in this process.
type guestFunc func(c *call) (*abi.Response, error)

// Reconcile implements loop.Guest.
func (f guestFunc) Reconcile(ctx context.Context, _ string, req *abi.Request, reader sandbox.Reader, _ sandbox.Logger) (*abi.Response, sandbox.Usage, error) {
	resp, err := f(&call{Request: req, ctx: ctx, reader: reader, answer: make(chan answer, 1)})
	return resp, sandbox.Usage{}, err
}

// script is a guest whose calls the test takes one by one.
type script chan *call

func (s script) guest(c *call) (*abi.Response, error) {
	select {
	case s <- c:
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
	select {
	case a := <-c.answer:
		return a.resp, a.err
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	}
}

// next is the next call.
func (s script) next(t *testing.T) *call {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), hosttest.Patience)
	defer cancel()
	select {
	case c := <-s:
		return c
	case <-ctx.Done():
		t.Fatal("no call came")
		return nil
	}
}

// of is the next call, which must be of that key.
func (s script) of(t *testing.T, name string) *call {
	t.Helper()
	c := s.next(t)
	if c.name() != name {
		t.Fatalf("key %s runs, want %s", c.name(), name)
	}
	return c
}

// fixture is a cache and a connection to the shared API server, with faults.
type fixture struct {
	t         *testing.T
	client    kubernetes.Interface
	namespace string
	conn      *rest.Config // has the faults
	wire      *hosttest.Wire
	cache     *informercache.Cache
	mapper    *informercache.DiscoveryMapper
	served    *reads.Served
	log       *hosttest.Log
	registry  *prometheus.Registry
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{
		t: t, conn: planetest.Shared(t), namespace: planetest.Namespace(t),
		log: hosttest.NewLog(t, "the loop"), registry: prometheus.NewRegistry(),
	}
	f.wire = hosttest.NewWire(f.conn)
	direct := planetest.Shared(t)
	f.client = kubernetes.NewForConfigOrDie(direct)
	dc := discovery.NewDiscoveryClientForConfigOrDie(direct)
	f.mapper, f.served = informercache.NewMapper(dc, clock.RealClock{}), &reads.Served{Client: dc}
	var err error
	f.cache, err = informercache.New(informercache.Config{REST: f.conn, Mapper: f.mapper, Clock: clock.RealClock{}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var ended sync.WaitGroup
	ended.Go(func() { // the cleanup waits
		if err := f.cache.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() { cancel(); ended.Wait() })
	return f
}

// manifest is that of a controller of the test's ReplicaSets that reads and
// writes ConfigMaps.
func (f *fixture) manifest() abi.Controller {
	return abi.Controller{
		Name:    "test",
		Primary: &abi.PrimaryKeys{Kind: replicaSets, Namespaces: []string{f.namespace}},
		Reads:   []abi.KindRead{{Kind: configMaps, Namespaces: []string{f.namespace}}},
		Access:  []abi.Access{{Kind: configMaps, Verbs: []string{"create", "patch", "delete"}}},
	}
}

// running is a controller at work.
type running struct {
	*loop.Controller
	f      *fixture
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

// version is a version of a controller; the release is its digest too.
func (f *fixture) version(m abi.Controller, release string, g guestFunc, memo func(*abi.Key) []byte) *loop.Version {
	f.t.Helper()
	grant, _ := policy.Intersect(&m, nil)
	w, err := writer.New(writer.Config{Controller: m.Name, REST: f.conn, Mapper: f.mapper, Grant: grant})
	if err != nil {
		f.t.Fatal(err)
	}
	live, err := informercache.NewRawClient(f.conn, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	watches := reads.Open(f.cache, f.served, &m)
	return &loop.Version{
		Manifest: &m, Module: "test", Release: release, Digest: release, Guest: g, Watches: watches, Writer: w,
		Reads: &reads.Config{Watches: watches, Grant: grant, Transcoder: informercache.NewTranscoder(1 << 20), Live: live, Mapper: f.mapper, Discovery: f.served, Memo: memo},
		Close: watches.Release,
	}
}

// run runs a controller until the test ends or stop is called.
func (f *fixture) run(m abi.Controller, g guestFunc, change func(*loop.Config)) *running {
	f.t.Helper()
	r := &running{f: f}
	cfg := loop.Config{Name: m.Name, Workers: 1, Cache: f.cache, Clock: clock.RealClock{}, Logger: f.log.Logger(), Registerer: f.registry}
	if change != nil {
		change(&cfg)
	}
	var err error
	r.Controller, err = loop.New(cfg, f.version(m, "v1", g, r.memo))
	if err != nil {
		f.t.Fatal(err)
	}
	r.start(f.t, false)
	f.t.Cleanup(r.stop)
	hosttest.Eventually(f.t, "the controller runs", func() bool { return r.Status().Phase == loop.Running })
	return r
}

func (r *running) memo(k *abi.Key) []byte { return r.Memo(k) }

// start begins to run the controller.
func (r *running) start(t *testing.T, level bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	r.cancel = cancel
	r.ended.Go(func() { // stop waits
		if err := r.Run(ctx, level); err != nil {
			t.Error(err)
		}
	})
}

func (r *running) stop() {
	r.cancel()
	r.ended.Wait()
}

// key makes a ReplicaSet of a name: a key.
func (f *fixture) key(name string, owners ...metav1.OwnerReference) *appsv1.ReplicaSet {
	f.t.Helper()
	rs := hosttest.NewReplicaSet(name, 0)
	rs.OwnerReferences = owners
	rs, err := f.client.AppsV1().ReplicaSets(f.namespace).Create(f.t.Context(), rs, metav1.CreateOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	return rs
}

// touch changes a key's object, but not its generation.
func (f *fixture) touch(name, value string) {
	f.patch(name, `{"metadata":{"labels":{"touched":"`+value+`"}}}`)
}

// respec changes a key's object and its generation.
func (f *fixture) respec(name string) { f.patch(name, `{"spec":{"minReadySeconds":7}}`) }

func (f *fixture) patch(name, patch string) {
	f.t.Helper()
	_, err := f.client.AppsV1().ReplicaSets(f.namespace).Patch(f.t.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
}

// configMap makes a ConfigMap, or changes what it holds.
func (f *fixture) configMap(name, value string, labels ...string) *corev1.ConfigMap {
	f.t.Helper()
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}, Data: map[string]string{"key": value}}
	for _, l := range labels {
		k, v, _ := strings.Cut(l, "=")
		cm.Labels[k] = v
	}
	api := f.client.CoreV1().ConfigMaps(f.namespace)
	made, err := api.Create(f.t.Context(), cm, metav1.CreateOptions{})
	if err != nil {
		made, err = api.Update(f.t.Context(), cm, metav1.UpdateOptions{})
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return made
}

// create is an answer that creates a ConfigMap of a drawn name.
func (f *fixture) create(prefix string) *abi.Response {
	f.t.Helper()
	body, err := (&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: prefix, Labels: map[string]string{"made": prefix}}}).Marshal()
	if err != nil {
		f.t.Fatal(err)
	}
	return &abi.Response{Batches: []abi.Batch{{Actions: []abi.Action{{Verb: abi.VerbCreate, Kind: configMaps, Namespace: f.namespace, Body: body}}}}}
}

// list is a query for the ConfigMaps that create has made.
func (f *fixture) list(prefix string) abi.Query {
	return abi.Query{Type: abi.QueryTypeList, Kind: configMaps, Namespace: f.namespace, Selector: "made=" + prefix}
}

// made counts them live.
func (f *fixture) made(prefix string) int {
	f.t.Helper()
	l, err := f.client.CoreV1().ConfigMaps(f.namespace).List(f.t.Context(), metav1.ListOptions{LabelSelector: "made=" + prefix})
	if err != nil {
		f.t.Fatal(err)
	}
	return len(l.Items)
}

// sample is the value of a metric of the controller, with a label's value where
// there is one.
func (f *fixture) sample(name, label string) float64 {
	f.t.Helper()
	families, err := f.registry.Gather()
	if err != nil {
		f.t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, m := range family.GetMetric() {
			for _, l := range m.GetLabel() {
				if label == "" || l.GetValue() == label {
					return m.GetCounter().GetValue() + m.GetGauge().GetValue()
				}
			}
		}
	}
	return 0
}

// remove deletes a key's object.
func (f *fixture) remove(name string) {
	f.t.Helper()
	if err := f.client.AppsV1().ReplicaSets(f.namespace).Delete(f.t.Context(), name, metav1.DeleteOptions{}); err != nil {
		f.t.Fatal(err)
	}
}
