package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
)

// kubeconfig is a changed copy of the shared plane's.
func kubeconfig(t *testing.T, change func(*clientcmdapi.Cluster, *clientcmdapi.AuthInfo)) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(planetest.SharedPlane(t).Kubeconfig())
	if err != nil {
		t.Fatal(err)
	}
	context := config.Contexts[config.CurrentContext]
	change(config.Clusters[context.Cluster], config.AuthInfos[context.AuthInfo])
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// connect is a command line that runs a good module.
func connect(t *testing.T, args ...string) []string {
	t.Helper()
	good := file(t, "good.wasm", doNothing("good", nil))
	return append([]string{"run", "--module", good, "--cache-dir", t.TempDir(), "--metrics-address", ""}, args...)
}

func TestBadKubeconfigs(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	text := func(s string) string { return file(t, "kubeconfig", []byte(s)) }
	type user = clientcmdapi.AuthInfo
	type cluster = clientcmdapi.Cluster
	good := planetest.SharedPlane(t).Kubeconfig()
	for name, c := range map[string]struct {
		path string
		want []string
	}{
		"not there":           {"/nope/kubeconfig", []string{"kubeconfig /nope/kubeconfig does not exist", "check the path"}},
		"a folder":            {filepath.Dir(good), []string{"is a folder", "name a file"}},
		"not YAML":            {text("{{{"), []string{"cannot use kubeconfig", "yaml", "kubectl config view"}},
		"another YAML":        {text("hello: world\n"), []string{"names no cluster"}},
		"empty":               {text(""), []string{"names no cluster"}},
		"no server":           {kubeconfig(t, func(c *cluster, _ *user) { c.Server = "" }), []string{"no server found"}},
		"server is no URL":    {kubeconfig(t, func(c *cluster, _ *user) { c.Server = "://x" }), []string{"host must be a URL", "://x"}},
		"certificate is none": {kubeconfig(t, func(c *cluster, _ *user) { c.CertificateAuthorityData = []byte("x") }), []string{"root certificates"}},
		"certificate is gone": {kubeconfig(t, func(_ *cluster, u *user) {
			u.Token, u.ClientCertificate, u.ClientKey = "", "/nope.crt", "/nope.key"
		}), []string{"/nope.crt"}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, connect(t, "--kubeconfig", c.path), append(c.want, c.path)...) })
	}
	refused(t, connect(t), "no kubeconfig found", "--kubeconfig")
	refused(t, connect(t, "--kubeconfig", good, "--context", "nope"), good, `context "nope" does not exist`, "get-contexts")
	t.Setenv("KUBECONFIG", "/nope/kubeconfig")
	refused(t, connect(t), "$KUBECONFIG", "/nope/kubeconfig", "check the variable")
}

func TestBadConnections(t *testing.T) {
	type user = clientcmdapi.AuthInfo
	type cluster = clientcmdapi.Cluster
	closed, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // for its free port
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close() // nobody listens there
	other := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		_, _ = w.Write([]byte("<html>\n<body>\nteapot\n</body>\n</html>\n"))
	})
	plain, secure := httptest.NewServer(other), httptest.NewTLSServer(other)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	shared := planetest.Shared(t).Host
	for name, c := range map[string]struct {
		change func(*cluster, *user)
		server string
		want   []string
	}{
		"nobody listens":  {func(c *cluster, _ *user) { c.Server = "https://" + closed.Addr().String() }, "https://" + closed.Addr().String(), []string{"not reachable", "connection refused", "check that it runs"}},
		"unknown name":    {func(c *cluster, _ *user) { c.Server = "https://nobody.invalid:6443" }, "nobody.invalid", []string{"not reachable", "check that it runs"}},
		"untrusted":       {func(c *cluster, _ *user) { c.CertificateAuthorityData = nil }, shared, []string{"certificate is not trusted", "unknown authority", "certificate-authority"}},
		"someone else's":  {func(c *cluster, _ *user) { c.Server = secure.URL }, secure.URL, []string{"certificate is not trusted"}},
		"wrong host":      {func(c *cluster, _ *user) { c.TLSServerName = "example.com" }, shared, []string{"certificate is not trusted", "example.com"}},
		"HTTP, not HTTPS": {func(c *cluster, _ *user) { c.Server = "https" + plain.URL[len("http"):] }, "https", []string{"speaks HTTP, not HTTPS"}},
		"HTTPS, not HTTP": {func(c *cluster, _ *user) { c.Server = "http" + c.Server[len("https"):] }, "http://", []string{"400 Bad Request", "https://"}},
		"no API server":   {func(c *cluster, _ *user) { c.Server = plain.URL }, plain.URL, []string{"418", "API server"}},
		"wrong token":     {func(_ *cluster, u *user) { u.Token = "wrong" }, shared, []string{"credentials are refused", "token"}},
		"no credentials":  {func(_ *cluster, u *user) { u.Token = "" }, shared, []string{"kubeconfig has none"}},
		"no such credentials": {func(_ *cluster, u *user) {
			u.Token, u.Exec = "", &clientcmdapi.ExecConfig{Command: "/nope/login", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: "Never"}
		}, shared, []string{"credentials can't be had", "/nope/login"}},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, connect(t, "--kubeconfig", kubeconfig(t, c.change)), append(c.want, "cannot use the API server at", c.server)...)
		})
	}
}

func TestTakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // closed below
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	refused(t, connect(t, "--kubeconfig", planetest.SharedPlane(t).Kubeconfig(), "--metrics-address", l.Addr().String()),
		"cannot serve metrics on "+l.Addr().String(), "address already in use", "--metrics-address")
}

func TestBadCacheFolders(t *testing.T) {
	shared := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(shared, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	taken := file(t, "taken", nil)
	kc := planetest.SharedPlane(t).Kubeconfig()
	refused(t, connect(t, "--kubeconfig", kc, "--cache-dir", shared), shared, "others can write it", "chmod 700")
	refused(t, connect(t, "--kubeconfig", kc, "--cache-dir", taken), taken, "not a directory", "--cache-dir")
	refused(t, connect(t, "--kubeconfig", kc, "--cache-dir", taken+"/below"), taken, "not a directory", "--cache-dir")
}

func TestTwoModulesWithTheSameController(t *testing.T) {
	first, second := file(t, "first.wasm", doNothing("good", nil)), file(t, "second.wasm", doNothing("other", func(m *abi.Manifest) { m.Controllers[0].Name = "good" }))
	failed(t, []string{"run", "--kubeconfig", planetest.SharedPlane(t).Kubeconfig(), "--cache-dir", t.TempDir(), "--metrics-address", "", "--module", first, "--module", second},
		"cannot dock "+second, `"good"`, first, "undock that one first")
}
