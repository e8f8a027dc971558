package sdktest

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
)

// World is the objects that a controller finds, and the time at which it looks.
type World struct {
	// Now is the time of every reconcile until it is set again.
	Now time.Time
	// Controller picks one of the module's controllers by name, where it has several.
	Controller string
	// Config is the operator's configuration, as JSON.
	Config string
	// Attempt is how many times the key has failed before.
	Attempt uint32
	// Reasons is why the key was woken, as hints to the controller.
	Reasons []abi.Reason
	// OnAction sees each action before it is performed. A result that it
	// returns stands for what became of it; nil has it performed.
	OnAction func(a *abi.Action) *abi.Result

	tb       testing.TB
	manifest abi.Manifest
	objects  map[id]runtime.Object
	live     map[id]runtime.Object // what only live reads see, nil for gone
	memos    map[abi.Key][]byte
	gone     map[string]string // UIDs with namespaces
	observed map[id][]int64
	unserved []string // kinds
	count    int
	drawn    int
}

// id names an object.
type id struct {
	schema.GroupKind
	types.NamespacedName
}

// start is the time of a World that is told none.
var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// New makes a World of the objects of YAML texts or files.
func New(tb testing.TB, sources ...string) *World {
	tb.Helper()
	w := &World{
		Now:      start,
		tb:       tb,
		objects:  map[id]runtime.Object{},
		live:     map[id]runtime.Object{},
		gone:     map[string]string{},
		observed: map[id][]int64{},
		memos:    map[abi.Key][]byte{},
	}
	running.Lock()
	err := w.manifest.Decode(sdk.Describe())
	running.Unlock()
	if err != nil {
		tb.Fatalf("cannot decode the module's manifest: %v", err)
	}
	w.Add(sources...)
	return w
}

// Add adds or replaces objects of YAML texts or files.
func (w *World) Add(sources ...string) {
	w.tb.Helper()
	for _, s := range sources {
		objects, err := load(s)
		if err != nil {
			w.tb.Fatalf("cannot load objects: %v", err)
		}
		w.AddObjects(objects...)
	}
}

// AddObjects adds or replaces objects.
func (w *World) AddObjects(objects ...runtime.Object) {
	for _, o := range objects {
		w.put(complete(o))
	}
}

// AddLive adds objects that live reads find in place of the cache's.
func (w *World) AddLive(sources ...string) {
	w.tb.Helper()
	for _, s := range sources {
		objects, err := load(s)
		if err != nil {
			w.tb.Fatalf("cannot load objects: %v", err)
		}
		w.AddLiveObjects(objects...)
	}
}

// AddLiveObjects adds objects that live reads find in place of the cache's.
func (w *World) AddLiveObjects(objects ...runtime.Object) {
	for _, o := range objects {
		o = complete(o)
		w.live[idOf(o)] = o
	}
}

// Remove takes an object away.
func (w *World) Remove(kind, namespace, name string) {
	delete(w.objects, w.find(kind, namespace, name))
}

// RemoveLive has live reads find an object gone that the cache still holds.
func (w *World) RemoveLive(kind, namespace, name string) {
	w.live[w.find(kind, namespace, name)] = nil
}

// Observe has the host have seen changes of an object's observed fields at those
// times, in the order of the manifest.
func (w *World) Observe(kind, namespace, name string, at ...time.Time) {
	times := make([]int64, len(at))
	for i, t := range at {
		times[i] = t.UnixNano()
	}
	w.observed[w.find(kind, namespace, name)] = times
}

// Names lists the objects of a kind in order, as namespace/name.
func (w *World) Names(kind string) []string {
	var out []string
	for i := range w.objects {
		if i.Kind == kind {
			out = append(out, strings.TrimPrefix(i.NamespacedName.String(), "/"))
		}
	}
	slices.Sort(out)
	return out
}

// Get gives an object of the World, or fails the test.
func Get[T runtime.Object](w *World, kind, namespace, name string) T {
	w.tb.Helper()
	o, ok := w.objects[w.find(kind, namespace, name)].(T)
	if !ok {
		w.tb.Fatalf("there is no %s %s/%s", kind, namespace, name)
	}
	return o
}

// Edit changes an object of the World, or fails the test.
func Edit[T runtime.Object](w *World, kind, namespace, name string, f func(T)) {
	w.tb.Helper()
	o, ok := Get[T](w, kind, namespace, name).DeepCopyObject().(T)
	if !ok {
		w.tb.Fatalf("the copy of %s %s/%s is something else", kind, namespace, name)
	}
	f(o)
	accessor(o).SetResourceVersion("")
	w.put(o)
}

func (w *World) find(kind, namespace, name string) id {
	for i := range w.objects {
		if i.Kind == kind && i.Namespace == namespace && i.Name == name {
			return i
		}
	}
	return id{GroupKind: schema.GroupKind{Kind: kind}, NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}}
}

// put stores an object under the next resource version, if it has none.
func (w *World) put(o runtime.Object) {
	m := accessor(o)
	w.count++
	if m.GetUID() == "" {
		m.SetUID(types.UID("uid-" + m.GetName()))
	}
	if m.GetResourceVersion() == "" {
		m.SetResourceVersion(strconv.Itoa(w.count))
	}
	w.objects[idOf(o)] = o
}

// complete sets kind and apiVersion, which objects made in Go mostly lack.
func complete(o runtime.Object) runtime.Object {
	o = o.DeepCopyObject()
	if o.GetObjectKind().GroupVersionKind().Empty() {
		if gvks, _, err := Scheme.ObjectKinds(o); err == nil {
			o.GetObjectKind().SetGroupVersionKind(gvks[0])
		}
	}
	return o
}

func idOf(o runtime.Object) id {
	m := accessor(o)
	return id{
		GroupKind:      o.GetObjectKind().GroupVersionKind().GroupKind(),
		NamespacedName: types.NamespacedName{Namespace: m.GetNamespace(), Name: m.GetName()},
	}
}
