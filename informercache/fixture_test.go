package informercache_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"

	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/informercache"
)

func TestMain(m *testing.M) { planetest.Main(m) }

var (
	configMaps = corev1.SchemeGroupVersion.WithKind("ConfigMap")
	pods       = corev1.SchemeGroupVersion.WithKind("Pod")
)

// patience bounds every wait of these tests.
const patience = time.Minute

// fixture is a running cache on the shared API server.
type fixture struct {
	*informercache.Cache
	*recorder
	config   *rest.Config
	client   *kubernetes.Clientset
	dynamic  *dynamic.DynamicClient
	registry *prometheus.Registry
	ended    chan struct{}
	stop     context.CancelFunc
}

// start runs a cache with the configuration (nil for the administrator's) and
// the client (nil for an own one).
func start(t *testing.T, as *rest.Config, hc *http.Client) *fixture {
	t.Helper()
	f := &fixture{config: planetest.Shared(t), recorder: newRecorder(), registry: prometheus.NewRegistry(), ended: make(chan struct{})}
	f.config.QPS = -1
	f.client = kubernetes.NewForConfigOrDie(f.config)
	f.dynamic = dynamic.NewForConfigOrDie(f.config)
	if as == nil {
		as = f.config
	}
	var err error
	f.Cache, err = informercache.New(informercache.Config{
		REST: as, HTTPClient: hc, Clock: clock.RealClock{}, Registerer: f.registry,
		Mapper: informercache.NewMapper(discovery.NewDiscoveryClientForConfigOrDie(f.config), clock.RealClock{}),
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Subscribe(f.recorder)
	ctx, cancel := context.WithCancel(t.Context())
	f.stop = cancel
	go func() { // the cleanup waits for it
		defer close(f.ended)
		if err := f.Run(ctx); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-f.ended })
	return f
}

// synced is a watch that has its first list.
func (f *fixture) synced(t *testing.T, target informercache.Target, d informercache.Demand) *informercache.Watch {
	t.Helper()
	w := f.Watch(target, d)
	if err := w.WaitForSync(within(t)); err != nil {
		t.Fatal(err)
	}
	return w
}

// series counts the metrics.
func (f *fixture) series(t *testing.T) int {
	t.Helper()
	families, err := f.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, family := range families {
		n += len(family.GetMetric())
	}
	return n
}

func (f *fixture) configMap(t *testing.T, namespace, name, value string) *corev1.ConfigMap {
	t.Helper()
	cm, err := f.client.CoreV1().ConfigMaps(namespace).Create(t.Context(), &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"value": value}}, Data: map[string]string{"key": value},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return cm
}

func (f *fixture) deleteConfigMap(t *testing.T, namespace, name string) {
	t.Helper()
	if err := f.client.CoreV1().ConfigMaps(namespace).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, patience, true, func(context.Context) (bool, error) { return f(), nil })
	if err != nil {
		t.Fatalf("waited in vain until %s", what)
	}
}

// recorder keeps what a subscriber is told.
type recorder struct {
	mu       sync.Mutex
	changes  []informercache.Change
	relisted int
}

func newRecorder() *recorder { return &recorder{} }

func (r *recorder) Changed(c informercache.Change) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changes = append(r.changes, c)
}

func (r *recorder) Progressed(_ informercache.Target, _ string, relisted bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if relisted {
		r.relisted++
	}
}

// of returns the changes of one object.
func (r *recorder) of(name string) []informercache.Change {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.changes), func(c informercache.Change) bool {
		return c.New != nil && c.New.Name() != name || c.New == nil && c.Old.Name() != name
	})
}

func (r *recorder) relists() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.relisted
}

var crds = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// custom is a kind of custom resources, made by a test, in a group of its own.
type custom struct {
	gvk schema.GroupVersionKind
	gvr schema.GroupVersionResource
}

func newCustom(name string) custom {
	gv := schema.GroupVersion{Group: name + ".example.com", Version: "v1"}
	return custom{gvk: gv.WithKind("Widget"), gvr: gv.WithResource("widgets")}
}

func (f *fixture) define(t *testing.T, c custom) {
	t.Helper()
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": c.gvr.GroupResource().String()},
		"spec": map[string]any{
			"group": c.gvk.Group, "scope": "Namespaced",
			"names": map[string]any{"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
			}},
		},
	}}
	if _, err := f.dynamic.Resource(crds).Create(t.Context(), crd, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) undefine(t *testing.T, c custom) {
	t.Helper()
	if err := f.dynamic.Resource(crds).Delete(t.Context(), c.gvr.GroupResource().String(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) widget(t *testing.T, c custom, namespace, name string) *unstructured.Unstructured {
	t.Helper()
	w := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": c.gvk.GroupVersion().String(), "kind": "Widget",
		"metadata": map[string]any{"name": name, "labels": map[string]any{"app": "w"}},
		"spec":     map[string]any{"size": int64(3), "tags": []any{"a", "b"}},
	}}
	var made *unstructured.Unstructured
	eventually(t, "a widget can be made", func() bool { // a definition takes a moment to be served
		var err error
		made, err = f.dynamic.Resource(c.gvr).Namespace(namespace).Create(t.Context(), w, metav1.CreateOptions{})
		return err == nil
	})
	return made
}
