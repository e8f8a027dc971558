package informercache_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/informercache"
)

func TestPromise06BytesOfABuiltInKind(t *testing.T) {
	f := start(t, nil, nil)
	ns := planetest.Namespace(t)
	w := f.synced(t, informercache.Target{GVK: configMaps}, informercache.Demand{})
	made := f.configMap(t, ns, "bytes", "v")
	if err := w.WaitFor(within(t), made.ResourceVersion); err != nil {
		t.Fatal(err)
	}
	if len(made.ManagedFields) == 0 {
		t.Fatal("the server sent no managedFields to cut")
	}
	made.ManagedFields = nil
	want, err := made.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	got := w.Get(ns, "bytes")
	if got.Encoding() != informercache.Protobuf || !bytes.Equal(got.Raw(), want) {
		t.Errorf("got %s %x, want protobuf %x", got.Encoding(), got.Raw(), want)
	}
	if w.Status() != (informercache.Status{Phase: informercache.Synced, Encoding: informercache.Protobuf}) {
		t.Errorf("status %+v", w.Status())
	}
}

func TestPromise06BytesWithoutProtobuf(t *testing.T) {
	faults, client := newFaults(t, planetest.Shared(t))
	faults.noProto = true
	f := start(t, nil, client)
	ns := planetest.Namespace(t)
	f.configMap(t, ns, "listed", "v")
	w := f.synced(t, informercache.Target{GVK: configMaps, Namespace: ns}, informercache.Demand{
		Indexes: []informercache.Index{{Name: "data", Type: informercache.Map, Path: informercache.Path{Numbers: []int32{2}, Name: "data"}}},
	})
	made := f.configMap(t, ns, "watched", "v")
	if err := w.WaitFor(within(t), made.ResourceVersion); err != nil {
		t.Fatal(err)
	}
	if e := w.Status().Encoding; e != informercache.JSON {
		t.Errorf("the status says %s", e)
	}
	for _, name := range []string{"listed", "watched"} {
		o := w.Get(ns, name)
		var got corev1.ConfigMap
		if err := json.Unmarshal(o.Raw(), &got); err != nil {
			t.Fatal(err)
		}
		if got.Kind != "ConfigMap" || got.APIVersion != "v1" || got.Data["key"] != "v" || got.ManagedFields != nil || string(got.UID) != string(o.UID()) {
			t.Errorf("%s is held as %s", name, o.Raw())
		}
	}
	if got := w.List(informercache.Query{Index: "data", IndexValue: "key=v"}); len(got) != 2 {
		t.Errorf("the index finds %d of 2", len(got))
	}
	client2, err := informercache.NewRawClient(f.config, client)
	if err != nil {
		t.Fatal(err)
	}
	l, err := client2.List(t.Context(), corev1.SchemeGroupVersion.WithResource("configmaps"), ns, metav1.ListOptions{}, false)
	if err != nil || len(l.Items) != 2 || !bytes.Contains(l.Items[0].Raw(), []byte(`"kind":"ConfigMap"`)) {
		t.Errorf("a live list in JSON: %v %v", l, err)
	}
}

func TestPromise06CustomResourcesAndMetadata(t *testing.T) {
	f := start(t, nil, nil)
	ns := planetest.Namespace(t)
	c := newCustom(ns)
	f.define(t, c)
	made := f.widget(t, c, ns, "one")
	tags := informercache.Index{Name: "tags", Path: informercache.Path{Name: "spec.tags"}}
	whole := f.synced(t, informercache.Target{GVK: c.gvk}, informercache.Demand{Indexes: []informercache.Index{tags}})
	meta := f.synced(t, informercache.Target{GVK: c.gvk, MetadataOnly: true}, informercache.Demand{})
	o, m := whole.Get(ns, "one"), meta.Get(ns, "one")
	if o.Encoding() != informercache.JSON || m.Encoding() != informercache.Protobuf {
		t.Fatalf("whole objects come as %s, metadata as %s", o.Encoding(), m.Encoding())
	}
	var got map[string]any
	if err := json.Unmarshal(o.Raw(), &got); err != nil {
		t.Fatal(err)
	}
	want := made.DeepCopy()
	want.SetManagedFields(nil)
	wantJSON, _ := want.MarshalJSON()
	var wanted map[string]any
	_ = json.Unmarshal(wantJSON, &wanted)
	if d := cmp.Diff(wanted, got); d != "" {
		t.Error(d)
	}
	var pom metav1.PartialObjectMetadata
	if err := pom.Unmarshal(m.Raw()); err != nil || pom.UID != made.GetUID() || pom.ManagedFields != nil {
		t.Errorf("metadata %v %v", pom, err)
	}
	if o.Labels().Get("app") != "w" || m.Labels().Get("app") != "w" || o.UID() != m.UID() {
		t.Error("metadata differs between the two")
	}
	if found := whole.List(informercache.Query{Index: "tags", IndexValue: "b"}); len(found) != 1 {
		t.Errorf("the index over a JSON array finds %d", len(found))
	}
}

func TestPromise09PatienceAnd10Removal(t *testing.T) {
	f := start(t, nil, nil)
	ns := planetest.Namespace(t)
	c := newCustom(ns)
	w := f.Watch(informercache.Target{GVK: c.gvk}, informercache.Demand{})
	eventually(t, "the kind is waited for", func() bool { return strings.Contains(w.Status().Message, "not served") })
	other := f.synced(t, informercache.Target{GVK: configMaps, Namespace: ns}, informercache.Demand{})
	if s := w.Status(); s.Phase != informercache.Waiting || !strings.Contains(s.Message, "Widget.v1."+ns+".example.com") {
		t.Errorf("status %+v", s)
	}
	f.define(t, c)
	if err := w.WaitForSync(within(t)); err != nil {
		t.Fatal(err)
	}
	first := f.widget(t, c, ns, "w")
	if err := w.WaitFor(within(t), first.GetResourceVersion()); err != nil {
		t.Fatal(err)
	}
	f.undefine(t, c)
	eventually(t, "the server's deletion of the widget is seen", func() bool { return w.Get(ns, "w") == nil })
	eventually(t, "the kind is waited for again", func() bool { return w.Status().Phase == informercache.Waiting })
	f.define(t, c)
	f.widget(t, c, ns, "w")
	eventually(t, "the widget is back", func() bool { o := w.Get(ns, "w"); return o != nil && o.UID() != first.GetUID() })
	if s := w.Status(); s.Phase != informercache.Synced {
		t.Errorf("status %+v", s)
	}
	if !other.Synced() {
		t.Error("another kind was held up")
	}
}

func TestPromise09ForbiddenKind(t *testing.T) {
	admin := planetest.Shared(t)
	limited := rest.CopyConfig(admin)
	limited.Impersonate = rest.ImpersonationConfig{UserName: "limited-" + t.Name()}
	f := start(t, limited, nil)
	ns := planetest.Namespace(t)
	target := informercache.Target{GVK: pods, Namespace: ns}
	w := f.Watch(target, informercache.Demand{})
	eventually(t, "the refusal shows", func() bool { return w.Status().Phase == informercache.Forbidden })
	if m := w.Status().Message; !strings.Contains(m, "Pod.v1 in namespace "+ns) || !strings.Contains(m, "grant") {
		t.Errorf("message %q", m)
	}
	role := &rbacv1.Role{
		ObjectMeta: metav1.ObjectMeta{Name: "pods"},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"list", "watch"}}},
	}
	if _, err := f.client.RbacV1().Roles(ns).Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "pods"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "pods"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: limited.Impersonate.UserName}},
	}
	if _, err := f.client.RbacV1().RoleBindings(ns).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := w.WaitForSync(within(t)); err != nil {
		t.Fatal(err)
	}
	if s := w.Status(); s.Phase != informercache.Synced || s.Message != "" {
		t.Errorf("status %+v", s)
	}
}

func TestNamespaceScope(t *testing.T) {
	f := start(t, nil, nil)
	in, out := planetest.Namespace(t), planetest.Namespace(t)
	w := f.synced(t, informercache.Target{GVK: configMaps, Namespace: in}, informercache.Demand{})
	f.configMap(t, out, "outside", "v")
	made := f.configMap(t, in, "inside", "v")
	if err := w.WaitFor(within(t), made.ResourceVersion); err != nil {
		t.Fatal(err)
	}
	if got := w.List(informercache.Query{}); len(got) != 1 || got[0].Name() != "inside" {
		t.Errorf("got %d objects", len(got))
	}
	if w.Get(out, "outside") != nil {
		t.Error("an object of another namespace is held")
	}
	cluster := f.Watch(informercache.Target{GVK: corev1.SchemeGroupVersion.WithKind("Node"), Namespace: in}, informercache.Demand{})
	eventually(t, "the mistake is named", func() bool { return strings.Contains(cluster.Status().Message, "no namespaces") })
}

func TestPromise08SharingAnd14Release(t *testing.T) {
	faults, client := newFaults(t, planetest.Shared(t))
	f := start(t, nil, client)
	ns := planetest.Namespace(t)
	f.configMap(t, ns, "a", "x")
	target := informercache.Target{GVK: configMaps, Namespace: ns}
	first := f.synced(t, target, informercache.Demand{})
	second := f.synced(t, target, informercache.Demand{Indexes: []informercache.Index{
		{Name: "data", Type: informercache.Map, Path: informercache.Path{Numbers: []int32{2}, Name: "data"}},
	}})
	if got := second.List(informercache.Query{Index: "data", IndexValue: "key=x"}); len(got) != 1 {
		t.Errorf("an index declared later finds %d", len(got))
	}
	if got := first.List(informercache.Query{Index: "data", IndexValue: "key=x"}); len(got) != 0 {
		t.Error("an index is its user's own")
	}
	if n := faults.requests("/api/v1/namespaces/" + ns + "/configmaps"); n != 1 {
		t.Errorf("%d watches for one target", n)
	}
	if n := f.series(t); n != 5 {
		t.Errorf("%d series", n)
	}
	first.Release()
	first.Release()
	made := f.configMap(t, ns, "b", "x")
	if err := second.WaitFor(within(t), made.ResourceVersion); err != nil {
		t.Errorf("the other user's watch ended: %v", err)
	}
	second.Release()
	if n := f.series(t); n != 0 {
		t.Errorf("%d series after release", n)
	}
	eventually(t, "the request has ended", func() bool {
		faults.mu.Lock()
		defer faults.mu.Unlock()
		return len(faults.open) == 0
	})
	if err := second.WaitFor(within(t), "99999999999999"); err == nil || !strings.Contains(err.Error(), informercache.ErrReleased.Error()) {
		t.Errorf("waiting on a released watch: %v", err)
	}
	for _, c := range f.of("a") {
		if c.New == nil {
			t.Error("a release is no delete")
		}
	}
}

func TestPromise07Visibility(t *testing.T) {
	f := start(t, nil, nil)
	ns := planetest.Namespace(t)
	w := f.synced(t, informercache.Target{GVK: configMaps}, informercache.Demand{})
	for _, v := range []string{"a", "b", "c", "d"} {
		made := f.configMap(t, ns, "n-"+v, v)
		if err := w.WaitFor(within(t), made.ResourceVersion); err != nil {
			t.Fatal(err)
		}
		if !w.Reached(made.ResourceVersion) || w.Get(ns, made.Name) == nil {
			t.Fatal("reached and not visible")
		}
		sel := labels.SelectorFromSet(labels.Set{"value": v})
		if got := w.List(informercache.Query{Namespace: ns, Selector: sel}); len(got) != 1 || got[0].Name() != made.Name {
			t.Errorf("selector %s finds %d", sel, len(got))
		}
	}
	if w.Reached("99999999999999") {
		t.Error("a version to come is reached")
	}
}

func TestRawClient(t *testing.T) {
	admin := planetest.Shared(t)
	ns := planetest.Namespace(t)
	f := start(t, nil, nil)
	for _, name := range []string{"a", "b", "c"} {
		f.configMap(t, ns, name, "v")
	}
	c, err := informercache.NewRawClient(admin, nil)
	if err != nil {
		t.Fatal(err)
	}
	gvr := corev1.SchemeGroupVersion.WithResource("configmaps")
	o, err := c.Get(t.Context(), gvr, ns, "a", false)
	if err != nil || o.Name() != "a" || o.Encoding() != informercache.Protobuf {
		t.Fatalf("get: %v %v", o, err)
	}
	page, err := c.List(t.Context(), gvr, ns, metav1.ListOptions{Limit: 2}, true)
	if err != nil || len(page.Items) != 2 || page.Continue == "" {
		t.Fatalf("first page: %+v %v", page, err)
	}
	rest2, err := c.List(t.Context(), gvr, ns, metav1.ListOptions{Limit: 2, Continue: page.Continue}, true)
	if err != nil || len(rest2.Items) != 1 || rest2.Continue != "" {
		t.Fatalf("second page: %+v %v", rest2, err)
	}
	if _, err := c.Get(t.Context(), gvr, ns, "none", false); !apierrors.IsNotFound(err) {
		t.Errorf("an absent object: %v", err)
	}
	if _, err := c.Get(t.Context(), gvr, ns, "../../secrets/x", false); err == nil || apierrors.IsNotFound(err) {
		t.Errorf("a name that is a path: %v", err)
	}
	limited := rest.CopyConfig(admin)
	limited.Impersonate = rest.ImpersonationConfig{UserName: "nobody"}
	l, err := informercache.NewRawClient(limited, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Get(t.Context(), gvr, ns, "a", false); !apierrors.IsForbidden(err) {
		t.Errorf("impersonated: %v", err)
	}
}
