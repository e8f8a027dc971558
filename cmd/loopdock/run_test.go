package main

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	authv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
)

// running is a command that runs until it is interrupted.
type running struct {
	stdout, stderr output
	cancel         context.CancelFunc
	ended          chan int
}

func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{cancel: cancel, ended: make(chan int, 1)}
	go func() { r.ended <- run(ctx, append([]string{"loopdock"}, args...), &r.stdout, &r.stderr) }() // waited for below
	t.Cleanup(func() {
		cancel()
		if code, ok := <-r.ended; ok && code != 0 {
			t.Errorf("the exit code is %d; stderr:\n%s", code, r.stderr.String())
		}
	})
	return r
}

// interrupt ends the command as Ctrl-C does, and gives its exit code.
func (r *running) interrupt() int {
	r.cancel()
	code := <-r.ended
	close(r.ended)
	return code
}

// says waits for a line of the log that holds all of the words.
func (r *running) says(t *testing.T, words ...string) string {
	t.Helper()
	found := ""
	eventually(t, "the log to say "+strings.Join(words, ", ")+"; it says:\n"+r.stderr.String(), func() bool {
		for l := range strings.Lines(r.stderr.String()) {
			has := true
			for _, w := range words {
				has = has && strings.Contains(l, w)
			}
			if has {
				found = l
			}
		}
		return found != ""
	})
	return found
}

// status reads /status.
func (r *running) status(t *testing.T) (out struct {
	Controllers []struct {
		Name, Phase, LastError string
		Waiting                []string
	}
},
) {
	t.Helper()
	address := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(r.says(t, "msg=serving"))[1]
	resp, err := http.Get("http://" + address + "/status") //nolint:noctx // it answers at once
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// namespaceowner builds the guest.
func namespaceowner(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "namespaceowner.wasm")
	if code, _, stderr := loopdock(t, "build", "--output", path, filepath.Join("..", "..", "guests", "namespaceowner")); code != 0 {
		t.Fatal(stderr)
	}
	return path
}

func client(t *testing.T) kubernetes.Interface {
	t.Helper()
	c, err := kubernetes.NewForConfig(planetest.Shared(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// owned waits until the guest has labelled a namespace.
func owned(t *testing.T, name string) {
	t.Helper()
	c := client(t)
	eventually(t, "namespace "+name+" to be labelled", func() bool {
		ns, err := c.CoreV1().Namespaces().Get(t.Context(), name, metav1.GetOptions{})
		return err == nil && ns.Labels["owner"] == "unassigned"
	})
}

func TestRunReconciles(t *testing.T) {
	name := planetest.Namespace(t)
	r := start(t, "run", "--kubeconfig", planetest.SharedPlane(t).Kubeconfig(), "--cache-dir", t.TempDir(), "--metrics-address", "127.0.0.1:0",
		"--module", namespaceowner(t), "--workers", "namespaceowner=2", "--leader-elect", "--leader-elect-namespace", name)
	owned(t, name)
	r.says(t, "level=INFO", "docked", "namespaceowner")
	if code := r.interrupt(); code != 0 {
		t.Errorf("the exit code is %d", code)
	}
	if out := r.stdout.String(); out != "" {
		t.Errorf("it prints on stdout:\n%s", out)
	}
	if rest := withoutLog(r.stderr.String()); rest != "" {
		t.Errorf("it prints what is no log line:\n%s", rest)
	}
	if strings.Contains(r.stderr.String(), "level=ERROR") {
		t.Errorf("it logs errors:\n%s", r.stderr.String())
	}
}

func TestRunRunsOnlyWhatIsNamed(t *testing.T) {
	pair := file(t, "pair.wasm", doNothing("left", func(m *abi.Manifest) {
		second := m.Controllers[0]
		second.Name = "right"
		m.Controllers = append(m.Controllers, second)
	}))
	r := start(t, "run", "--kubeconfig", planetest.SharedPlane(t).Kubeconfig(), "--cache-dir", t.TempDir(), "--metrics-address", "127.0.0.1:0",
		"--module", pair, "--module", file(t, "other.wasm", doNothing("other", nil)), "--only", "right", "--only", "rihgt")
	r.says(t, "level=INFO", "docked", "leftOut=[left]", "controllers=[right]")
	r.says(t, "level=INFO", "docked", "leftOut=[other]", "controllers=[]")
	r.says(t, "level=WARN", "no docked module has this controller", "controller=rihgt")
	if got := r.status(t).Controllers; len(got) != 1 || got[0].Name != "right" {
		t.Errorf("these controllers run: %v", got)
	}
}

func TestRunLogsJSON(t *testing.T) {
	r := start(t, "run", "--kubeconfig", planetest.SharedPlane(t).Kubeconfig(), "--cache-dir", t.TempDir(), "--metrics-address", "",
		"--module", file(t, "good.wasm", doNothing("good", nil)), "--log-format", "json")
	r.says(t, `"docked"`)
	if code := r.interrupt(); code != 0 {
		t.Errorf("the exit code is %d", code)
	}
	for l := range strings.Lines(r.stderr.String()) {
		if !json.Valid([]byte(l)) {
			t.Errorf("no JSON: %s", l)
		}
	}
}

func TestRunIsInterruptedBeforeItIsReady(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr output
	args := append([]string{"loopdock"}, connect(t, "--kubeconfig", planetest.SharedPlane(t).Kubeconfig())...)
	if code := run(ctx, args, &stdout, &stderr); code != 0 || stdout.String()+withoutLog(stderr.String()) != "" {
		t.Errorf("the exit code is %d, and it prints %q %q", code, stdout.String(), stderr.String())
	}
}

func TestRunWaitsForAFolderToFill(t *testing.T) {
	r := start(t, "run", "--kubeconfig", planetest.SharedPlane(t).Kubeconfig(), "--cache-dir", t.TempDir(), "--metrics-address", "", "--module", t.TempDir())
	r.says(t, "level=WARN", "no .wasm file is in the folder yet")
}

func TestRunGoesOnWithoutAKind(t *testing.T) {
	name := planetest.Namespace(t)
	stranger := file(t, "stranger.wasm", doNothing("stranger", func(m *abi.Manifest) {
		m.Controllers[0].Primary.Kind = &abi.Kind{APIVersion: "example.com/v1", Kind: "Widget"}
	}))
	r := start(t, "run", "--kubeconfig", planetest.SharedPlane(t).Kubeconfig(), "--cache-dir", t.TempDir(), "--metrics-address", "127.0.0.1:0",
		"--module", stranger, "--module", namespaceowner(t))
	owned(t, name)
	eventually(t, "the status to name the kind", func() bool {
		for _, c := range r.status(t).Controllers {
			if c.Name == "stranger" {
				return c.Phase == "Waiting" && strings.Contains(strings.Join(c.Waiting, "\n"), "Widget")
			}
		}
		return false
	})
}

// limited makes a user who may do what the rules say, and gives a kubeconfig
// and a function that adds rules.
func limited(t *testing.T, namespace string, rules ...rbacv1.PolicyRule) (path string, grant func(...rbacv1.PolicyRule)) {
	t.Helper()
	c := client(t)
	account, err := c.CoreV1().ServiceAccounts(namespace).Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "limited"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	role, err := c.RbacV1().ClusterRoles().Create(t.Context(), &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: namespace}, Rules: rules}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: namespace},
		RoleRef:    rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: role.Name},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: namespace, Name: account.Name}},
	}
	if _, err := c.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	token, err := c.CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), account.Name, &authv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	path = kubeconfig(t, func(_ *clientcmdapi.Cluster, u *clientcmdapi.AuthInfo) { u.Token = token.Status.Token })
	if _, err := clientcmd.LoadFromFile(path); err != nil {
		t.Fatal(err)
	}
	return path, func(more ...rbacv1.PolicyRule) {
		t.Helper()
		role.Rules = append(role.Rules, more...)
		if role, err = c.RbacV1().ClusterRoles().Update(t.Context(), role, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRunGoesOnWithoutRights(t *testing.T) {
	name := planetest.Namespace(t)
	namespaces := func(verbs ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"namespaces"}, Verbs: verbs}
	}
	path, grant := limited(t, name)
	r := start(t, "run", "--kubeconfig", path, "--cache-dir", t.TempDir(), "--metrics-address", "127.0.0.1:0", "--module", namespaceowner(t))
	r.says(t, "level=WARN", "forbids", "controller=namespaceowner", "verb=patch", "resource=namespaces")
	eventually(t, "the status to name what is forbidden", func() bool {
		c := r.status(t).Controllers
		waiting := ""
		if len(c) == 1 {
			waiting = strings.Join(c[0].Waiting, "\n")
		}
		return strings.Contains(waiting, "forbidden") && strings.Contains(waiting, "list") && strings.Contains(waiting, "namespaces")
	})
	grant(namespaces("get", "list", "watch"))
	r.says(t, "level=ERROR", "reconcile failed", "cannot patch v1 Namespace "+name)
	if n := strings.Count(r.stderr.String(), "the API server forbids"); n != 1 {
		t.Errorf("%d lines say what is forbidden:\n%s", n, r.stderr.String())
	}
	grant(namespaces("patch"))
	owned(t, name)
}
