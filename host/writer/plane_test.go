package writer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
)

func TestMain(m *testing.M) { planetest.Main(m) }

// env is a writer on a real API server, in a namespace of its own, and a client
// to look with.
type env struct {
	*Writer
	t         *testing.T
	client    kubernetes.Interface
	namespace string
}

func newEnv(t *testing.T, change func(*Config)) *env {
	t.Helper()
	conn := rest.CopyConfig(planetest.Shared(t))
	conn.QPS = -1
	client, err := kubernetes.NewForConfig(conn)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Controller: "test", REST: rest.CopyConfig(conn), Mapper: mapper{}, Grant: everything}
	if change != nil {
		change(&cfg)
	}
	w, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &env{Writer: w, t: t, client: client, namespace: planetest.Namespace(t)}
}

// pod is a pod of this namespace that is in nobody's care.
func (e *env) pod(name string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: e.namespace},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
}

func (e *env) configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: e.namespace}, Data: map[string]string{"k": "v"}}
}

// action is an action on an object of a kind, its body as protobuf if there is one.
func (e *env) action(verb abi.Verb, kind, name string, body interface{ Marshal() ([]byte, error) }) abi.Action {
	e.t.Helper()
	apiVersion := "v1"
	switch kind {
	case "Deployment", "ReplicaSet":
		apiVersion = "apps/v1"
	}
	a := abi.Action{Verb: verb, Kind: &abi.Kind{APIVersion: apiVersion, Kind: kind}, Namespace: e.namespace, Name: name}
	if body != nil {
		a.Body = protobuf(e.t, body)
	}
	return a
}

// do performs actions one after the other and gives the report.
func (e *env) do(actions ...abi.Action) Report {
	e.t.Helper()
	return e.doFor(Owner{}, actions...)
}

func (e *env) doFor(owner Owner, actions ...abi.Action) Report {
	e.t.Helper()
	report, err := e.Perform(e.t.Context(), owner, []abi.Batch{{Actions: actions}})
	if err != nil {
		e.t.Fatal(err)
	}
	return report
}

// must is do where nothing may fail.
func (e *env) must(actions ...abi.Action) Report {
	e.t.Helper()
	report := e.do(actions...)
	if report.Failed {
		e.t.Fatal(report.Errors)
	}
	return report
}

func (e *env) getPod(name string) *corev1.Pod {
	e.t.Helper()
	pod, err := e.client.CoreV1().Pods(e.namespace).Get(e.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		e.t.Fatal(err)
	}
	return pod
}

func (e *env) countPods() int {
	e.t.Helper()
	list, err := e.client.CoreV1().Pods(e.namespace).List(e.t.Context(), metav1.ListOptions{})
	if err != nil {
		e.t.Fatal(err)
	}
	return len(list.Items)
}

func toJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// ownedBy makes a pod one whose controller has a UID.
func ownedBy(pod *corev1.Pod, uid string) *corev1.Pod {
	yes := true
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "rs", UID: types.UID(uid), Controller: &yes}}
	return pod
}

var errCut = errors.New("the connection was cut")

// cable is a connection that can be cut, before a request arrives or between a
// request and its answer.
type cable struct {
	mu     sync.Mutex
	next   http.RoundTripper
	before func(*http.Request) bool
	after  func(*http.Request) bool
	sent   int    // writes that arrived
	kind   string // in the last answer
}

func (c *cable) wrap(next http.RoundTripper) http.RoundTripper {
	c.next = next
	return c
}

func (c *cable) RoundTrip(req *http.Request) (*http.Response, error) {
	c.mu.Lock()
	before, after := c.before, c.after
	c.mu.Unlock()
	if before != nil && before(req) {
		if req.Body != nil {
			var b [4096]byte
			for err := error(nil); err == nil; _, err = req.Body.Read(b[:]) { // read and lost
			}
		}
		return nil, errCut
	}
	resp, err := c.next.RoundTrip(req)
	if err == nil && req.Method != http.MethodGet {
		c.mu.Lock()
		body, _ := io.ReadAll(resp.Body) // what is missing shows later
		c.kind, _, _ = unwrap(body)
		resp.Body = io.NopCloser(bytes.NewReader(body))
		c.sent++
		c.mu.Unlock()
	}
	if err == nil && after != nil && after(req) {
		_ = resp.Body.Close()
		return nil, errCut
	}
	return resp, err
}

func (c *cable) set(before, after func(*http.Request) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.before, c.after = before, after
}

func writes(r *http.Request) bool { return r.Method != http.MethodGet }
func reads(r *http.Request) bool  { return r.Method == http.MethodGet }
func anything(*http.Request) bool { return true }

// await waits until f holds.
func await(t *testing.T, what string, f func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond) //nolint:forbidigo // a real server's time
	defer tick.Stop()
	for !f() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("%s: not in time", what)
		}
	}
}
