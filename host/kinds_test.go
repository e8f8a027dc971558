package host_test

import (
	"context"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/hosttest"
	"github.com/loopdock/loopdock/host/loop"
)

// beside is a host with a controller that works ("beside", on Services) and one
// that is to be docked next to it.
type beside struct {
	*hosttest.Running
	client    kubernetes.Interface
	namespace string
}

func newBeside(t *testing.T, config *rest.Config, controllers map[string]host.ControllerConfig) *beside {
	t.Helper()
	b := &beside{client: clientOf(t, planetest.Shared(t)), namespace: planetest.Namespace(t)}
	b.Running = hosttest.Run(t, "host", host.Config{REST: config, Controllers: controllers})
	return b
}

func (b *beside) dock(t *testing.T, name string, kind *abi.Kind) {
	t.Helper()
	if err := b.Dock(t.Context(), name, hosttest.Marker(name, kind, b.namespace)); err != nil {
		t.Fatal(err)
	}
}

// ran reports whether a controller has ever run a key to its end.
func (b *beside) ran(ctx context.Context, name string) bool {
	_, err := b.client.CoreV1().ConfigMaps(b.namespace).Get(ctx, name, metav1.GetOptions{})
	return err == nil
}

// works checks that a controller takes new keys.
func (b *beside) works(t *testing.T, name string, wake func() error) {
	t.Helper()
	hosttest.Eventually(t, name+" has run", func() bool { return b.ran(t.Context(), name) })
	if err := b.client.CoreV1().ConfigMaps(b.namespace).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := wake(); err != nil {
		t.Fatal(err)
	}
	hosttest.Eventually(t, name+" runs again", func() bool { return b.ran(t.Context(), name) })
}

func (b *beside) newService(t *testing.T) func() error {
	t.Helper()
	return func() error {
		s := &corev1.Service{ObjectMeta: metav1.ObjectMeta{GenerateName: "s-"}, Spec: corev1.ServiceSpec{Ports: []corev1.ServicePort{{Port: 80}}}}
		_, err := b.client.CoreV1().Services(b.namespace).Create(t.Context(), s, metav1.CreateOptions{})
		return err
	}
}

// waitsFor checks that a controller waits, and says for what.
func (b *beside) waitsFor(t *testing.T, name string, parts ...string) {
	t.Helper()
	hosttest.Eventually(t, name+" says what it waits for", func() bool {
		c := b.Controller(name)
		text := strings.Join(c.Waiting, "\n")
		for _, p := range parts {
			if !strings.Contains(text, p) {
				return false
			}
		}
		return c.Phase == loop.Waiting
	})
}

// TestKindThatComesLater: a controller whose kind is not served waits alone, says
// so, and begins within seconds once it is.
func TestKindThatComesLater(t *testing.T) {
	t.Parallel()
	b := newBeside(t, planetest.Shared(t), nil)
	b.dock(t, "widgets", &abi.Kind{APIVersion: "later.example.com/v1", Kind: "Widget"})
	b.dock(t, "beside", service)
	b.waitsFor(t, "widgets", "Widget", "later.example.com", "not served")
	b.works(t, "beside", b.newService(t))

	define(t, "later.example.com")
	served := time.Now() //nolint:forbidigo // a real server's time
	widgets := dynamic.NewForConfigOrDie(planetest.Shared(t)).Resource(schema.GroupVersionResource{Group: "later.example.com", Version: "v1", Resource: "widgets"})
	create := func() error {
		w := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "later.example.com/v1", "kind": "Widget", "metadata": map[string]any{"generateName": "w-"},
		}}
		_, err := widgets.Namespace(b.namespace).Create(t.Context(), w, metav1.CreateOptions{})
		return err
	}
	hosttest.Eventually(t, "a Widget is created", func() bool { return create() == nil })
	hosttest.EventuallyWithin(t, 15*time.Second, "widgets runs", func() bool { return b.Controller("widgets").Phase == loop.Running })
	b.works(t, "widgets", create)
	t.Logf("it worked %v after its kind was defined", time.Since(served).Round(time.Millisecond)) //nolint:forbidigo // a real server's time
	if c := b.Controller("widgets"); len(c.Waiting) != 0 || c.LastError != "" {
		t.Errorf("the controller is %+v", c)
	}
}

// TestSwapWhileWaiting: a controller that waits for its kind can be replaced, also
// by one that need not wait.
func TestSwapWhileWaiting(t *testing.T) {
	t.Parallel()
	b := newBeside(t, planetest.Shared(t), nil)
	waits := &abi.Manifest{Name: "swapped", Version: "v1", Controllers: []abi.Controller{{
		Name: "swapped", Primary: &abi.PrimaryKeys{Kind: service},
		Reads: []abi.KindRead{{Kind: &abi.Kind{APIVersion: "never.example.com/v1", Kind: "Widget"}}},
	}}}
	if err := b.Dock(t.Context(), "swapped", hosttest.Static(waits, &abi.Response{})); err != nil {
		t.Fatal(err)
	}
	b.waitsFor(t, "swapped", "never.example.com")
	b.dock(t, "swapped", service)
	b.works(t, "swapped", b.newService(t))
	if err := b.Undock("swapped"); err != nil {
		t.Fatal(err)
	}
	if err := b.Dock(t.Context(), "swapped", hosttest.Static(waits, &abi.Response{})); err != nil {
		t.Fatal(err)
	}
	b.waitsFor(t, "swapped", "never.example.com")
	if err := b.Undock("swapped"); err != nil { // it ends though it waits
		t.Fatal(err)
	}
}

// TestForbiddenKind: the host's user may not read a kind. That holds up nobody
// else, and ends when the right is given.
func TestForbiddenKind(t *testing.T) {
	t.Parallel()
	config := planetest.Shared(t)
	config.Impersonate = rest.ImpersonationConfig{UserName: "limited-host"}
	b := newBeside(t, config, nil)
	allow(t, b.client, "limited-host",
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"services"}, Verbs: []string{"list", "watch"}},
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"create", "patch", "get"}},
	)
	b.dock(t, "secrets", &abi.Kind{APIVersion: "v1", Kind: "Secret"})
	b.dock(t, "beside", service)
	b.waitsFor(t, "secrets", "Secret", "limited-host", "forbidden")
	b.works(t, "beside", b.newService(t))

	allow(t, b.client, "limited-host", rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"secrets"}, Verbs: []string{"list", "watch"}})
	secret := func() error {
		_, err := b.client.CoreV1().Secrets(b.namespace).Create(t.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{GenerateName: "s-"}}, metav1.CreateOptions{})
		return err
	}
	if err := secret(); err != nil {
		t.Fatal(err)
	}
	b.works(t, "secrets", secret)
}

// TestControllerUser: a controller writes as its own user, whatever the host may.
func TestControllerUser(t *testing.T) {
	t.Parallel()
	const user = "system:serviceaccount:default:own"
	b := newBeside(t, planetest.Shared(t), map[string]host.ControllerConfig{"own": {User: user, MaxBackOff: 500 * time.Millisecond}})
	b.dock(t, "own", service)
	b.dock(t, "beside", service)
	hosttest.Eventually(t, "the write is refused", func() bool {
		c := b.Controller("own")
		return strings.Contains(c.LastError, "forbidden") && strings.Contains(c.LastError, user)
	})
	if !b.Log.Has("forbids what the controller asks for", "controller=own", "verb=patch", "resource=configmaps") {
		t.Error("the log does not say which right is missing")
	}
	b.works(t, "beside", b.newService(t))
	if b.ran(t.Context(), "own") {
		t.Error("it has written as the host")
	}
	allow(t, b.client, user, rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"create", "patch"}})
	b.works(t, "own", b.newService(t))
	hosttest.Eventually(t, "the error is forgotten", func() bool { return b.Controller("own").LastError == "" })
}

// allow gives a user rights in the shared plane.
func allow(t *testing.T, client kubernetes.Interface, user string, rules ...rbacv1.PolicyRule) {
	t.Helper()
	role, err := client.RbacV1().ClusterRoles().Create(t.Context(),
		&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}, Rules: rules}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.RbacV1().ClusterRoleBindings().Create(t.Context(), &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: user}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// define makes the shared plane serve Widgets of a group.
func define(t *testing.T, group string) {
	t.Helper()
	crd := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "widgets." + group},
		"spec": map[string]any{
			"group": group, "scope": "Namespaced",
			"names": map[string]any{"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
			"versions": []any{map[string]any{
				"name": "v1", "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
			}},
		},
	}}
	crds := schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}
	if _, err := dynamic.NewForConfigOrDie(planetest.Shared(t)).Resource(crds).Create(t.Context(), crd, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}
