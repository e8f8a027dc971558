package planetest_test

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/loopdock/loopdock/cmd/plane"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
)

// asCaller makes the test binary a program that starts a plane and then waits to
// be killed.
const asCaller = "PLANETEST_AS_CALLER"

func TestMain(m *testing.M) {
	if os.Getenv(asCaller) != "" {
		p, err := plane.Start(context.Background(), plane.Config{})
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(strconv.Itoa(p.PID()) + "\n") //nolint:errcheck // the other side notices
		select {}
	}
	planetest.Main(m)
}

func client(t *testing.T) kubernetes.Interface {
	t.Helper()
	c, err := kubernetes.NewForConfig(planetest.Shared(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestNamespacesAreApart(t *testing.T) {
	c := client(t)
	first, second := planetest.Namespace(t), planetest.Namespace(t)
	if first == second {
		t.Fatalf("both are %s", first)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
	for _, ns := range []string{first, second} {
		if _, err := c.CoreV1().Pods(ns).Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
			t.Errorf("cannot create a pod without a service account: %v", err)
		}
	}
}

func TestNamespaceIsGivenBack(t *testing.T) {
	c := client(t)
	var name string
	t.Run("user", func(t *testing.T) { name = planetest.Namespace(t) })
	ns, err := c.CoreV1().Namespaces().Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if ns.DeletionTimestamp == nil {
		t.Errorf("%s is not being deleted", name)
	}
}

func TestServerVersion(t *testing.T) {
	version, err := client(t).Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	if version.GitVersion != "v1.37.2" {
		t.Errorf("the server's version is %s", version.GitVersion)
	}
}

func TestAPIServerGoesAndComesBack(t *testing.T) {
	p := planetest.Start(t, plane.Config{})
	c, err := kubernetes.NewForConfig(planetest.Config(t, p))
	if err != nil {
		t.Fatal(err)
	}
	ns := planetest.NamespaceIn(t, planetest.Config(t, p))
	if err := p.StopAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.Server(), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("the API server is down, and a request gives %v", err)
	}
	if err == nil {
		_ = resp.Body.Close()
	}
	if err := p.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CoreV1().Namespaces().Get(t.Context(), ns, metav1.GetOptions{}); err != nil {
		t.Errorf("what was there before is not there again: %v", err)
	}
}

func TestPodsRunOnFakeNodes(t *testing.T) {
	p := planetest.Start(t, plane.Config{Nodes: 2, Scheduler: true})
	config := planetest.Config(t, p)
	c, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	pods := c.CoreV1().Pods(planetest.NamespaceIn(t, config))
	watch, err := pods.Watch(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}},
	}
	if _, err := pods.Create(t.Context(), pod, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	limit := time.NewTimer(30 * time.Second)
	defer limit.Stop()
	for {
		select {
		case event := <-watch.ResultChan():
			got, ok := event.Object.(*corev1.Pod)
			if !ok {
				t.Fatalf("the watch gives a %T", event.Object)
			}
			if got.Status.Phase == corev1.PodRunning && got.Status.PodIP != "" {
				return
			}
		case <-limit.C:
			t.Fatal("the pod does not run")
		}
	}
}

func TestBadConfigIsExplained(t *testing.T) {
	_, err := plane.Start(t.Context(), plane.Config{APIServerArgs: []string{"bogus=1"}})
	if err == nil || !strings.Contains(err.Error(), "kube-apiserver ended: unknown flag: --bogus") {
		t.Errorf("the error is %v", err)
	}
}

func TestPlaneEndsWithItsCaller(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe) //nolint:noctx // its end is what is tested
	cmd.Env = append(os.Environ(), asCaller+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	limit := time.NewTimer(30 * time.Second)
	defer limit.Stop()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for running(pid) {
		select {
		case <-ticker.C:
		case <-limit.C:
			t.Fatalf("devplane (%d) outlives its caller", pid)
		}
	}
}

// running tells if a process that is not this one's child has not ended.
func running(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	return !strings.HasPrefix(rest, "Z")
}
