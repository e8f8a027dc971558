// Package planetest gives tests a real Kubernetes API server: one that a test
// binary shares, or one of a test's own. A test fails, and says what to do, when
// the program devplane is not built.
package planetest

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/cmd/plane"
)

// startIn bounds the start of a plane on a busy machine.
const startIn = 2 * time.Minute

// shared is the plane of the test binary: etcd and an API server.
var shared struct {
	once  sync.Once
	plane *plane.Plane
	err   error
}

// SharedPlane is the plane that all tests of a test binary share. It has an API
// server and nothing else: no nodes, no scheduler, no controllers, and pods need
// no service account. The first use starts it; it ends with the test binary.
// Tests keep apart by namespaces and leave the API server running.
func SharedPlane(tb testing.TB) *plane.Plane {
	tb.Helper()
	shared.once.Do(func() {
		// Not the context of the test that happens to come first.
		ctx, cancel := context.WithTimeout(context.Background(), startIn)
		defer cancel()
		shared.plane, shared.err = plane.Start(ctx, plane.Config{})
	})
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	select {
	case <-shared.plane.Done():
		tb.Fatal("the shared plane has ended")
	default:
	}
	return shared.plane
}

// Shared is a connection, as administrator, to the shared plane.
func Shared(tb testing.TB) *rest.Config {
	tb.Helper()
	return Config(tb, SharedPlane(tb))
}

// Config is a connection, as administrator, to a plane.
func Config(tb testing.TB, p *plane.Plane) *rest.Config {
	tb.Helper()
	config, err := p.RESTConfig()
	if err != nil {
		tb.Fatal(err)
	}
	return config
}

// Namespace makes a namespace of the test's own in the shared plane.
func Namespace(tb testing.TB) string {
	tb.Helper()
	return NamespaceIn(tb, Shared(tb))
}

// NamespaceIn makes a namespace of the test's own in a plane. It is deleted
// after the test, which nobody waits for; in the shared plane, which has no
// namespace controller, it stays terminating.
func NamespaceIn(tb testing.TB, config *rest.Config) string {
	tb.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		tb.Fatal(err)
	}
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: namePrefix(tb.Name())}}
	ns, err = client.CoreV1().Namespaces().Create(tb.Context(), ns, metav1.CreateOptions{})
	if err != nil {
		tb.Fatalf("cannot create a namespace: %v", err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), 10*time.Second)
		defer cancel()
		// The plane may be gone on purpose.
		_ = client.CoreV1().Namespaces().Delete(ctx, ns.Name, metav1.DeleteOptions{})
	})
	return ns.Name
}

// namePrefix makes the beginning of a namespace's name from that of a test.
func namePrefix(test string) string {
	const longest = 40
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		default:
			return '-'
		}
	}, test)
	name = strings.Trim(name[:min(len(name), longest)], "-")
	if name == "" {
		name = "test"
	}
	return name + "-"
}

// Start starts a plane of the test's own and stops it after the test.
func Start(tb testing.TB, cfg plane.Config) *plane.Plane {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), startIn)
	defer cancel()
	p, err := plane.Start(ctx, cfg)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.Stop)
	return p
}

// Main runs the tests, stops the shared plane in good order and exits. A test
// binary without it leaves that to the plane itself:
//
//	func TestMain(m *testing.M) { planetest.Main(m) }
func Main(m *testing.M) {
	code := m.Run()
	if shared.plane != nil {
		shared.plane.Stop()
	}
	os.Exit(code)
}
