package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/cmd/plane/planetest"
)

// hostile is a module of testdata/hostile, at the root of the repository.
func hostile(name string) string { return filepath.Join("..", "..", "testdata", "hostile", name) }

func TestBadModules(t *testing.T) {
	manifest := func(change func(*abi.Manifest)) string { return file(t, "m.wasm", doNothing("good", change)) }
	whole := doNothing("good", nil)
	cases := map[string]struct {
		path string
		want []string
	}{
		"empty":                 {file(t, "empty.wasm", nil), []string{"empty"}},
		"text":                  {file(t, "notes.wasm", []byte("hello, world")), []string{"not a WebAssembly module", "loopdock build"}},
		"WebAssembly as text":   {file(t, "m.wat", []byte("(module)")), []string{"wat2wasm"}},
		"cut short":             {file(t, "cut.wasm", whole[:len(whole)-9]), []string{"not a valid WebAssembly module", "build it again"}},
		"no guest":              {hostile("no-marker.wasm"), []string{"no guest", "loopdock_abi_1", "loopdock build"}},
		"another ABI":           {hostile("abi-2.wasm"), []string{"version 2", "version 1", "build it for this host's version"}},
		"manifest is none":      {file(t, "m.wasm", assemble([]byte("\xff\xff\xff"))), []string{"Manifest", "loopdock_describe"}},
		"no kind":               {manifest(func(m *abi.Manifest) { m.Controllers[0].Primary.Kind = nil }), []string{`controller "good"`, "primary kind is not named"}},
		"no controller":         {manifest(func(m *abi.Manifest) { m.Controllers = nil }), []string{"names no controller"}},
		"two of the same name":  {hostile("manifest-twice.wasm"), []string{`two controllers are named "hostile"`}},
		"many faults":           {manifest(func(m *abi.Manifest) { m.Name, m.Controllers[0].Primary = "A B", nil }), []string{`"A B" is not a DNS label`, "0 sources of keys"}},
		"trap in _initialize":   {hostile("initialize-trap.wasm"), []string{"_initialize", "unreachable"}},
		"exit in _initialize":   {hostile("initialize-exit.wasm"), []string{"_initialize", "exited"}},
		"trap in describe":      {hostile("describe-trap.wasm"), []string{"loopdock_describe", "unreachable"}},
		"manifest is outside":   {hostile("describe-outside.wasm"), []string{"loopdock_describe", "outside its memory"}},
		"foreign import":        {hostile("import-foreign.wasm"), []string{"env.foo", "does not offer"}},
		"a socket":              {hostile("import-socket.wasm"), []string{"sock_open", "does not offer"}},
		"feature of the future": {hostile("manifest-feature.wasm"), []string{`"telepathic"`, "does not offer"}},
	}
	kubeconfig := planetest.SharedPlane(t).Kubeconfig()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := append([]string{"cannot dock " + c.path}, c.want...)
			refused(t, []string{"inspect", c.path}, want...)
			refused(t, []string{"run", "--kubeconfig", kubeconfig, "--metrics-address", "", "--cache-dir", t.TempDir(), "--module", c.path}, want...)
		})
	}
}

func TestInspectOfAModuleThatSpins(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the limit")
	}
	refused(t, []string{"inspect", hostile("initialize-spin.wasm")}, "initialize-spin.wasm", "_initialize", "limit reached")
}

func TestInspectOfAGuestWithoutImports(t *testing.T) {
	code, stdout, stderr := loopdock(t, "inspect", file(t, "m.wasm", doNothing("good", func(m *abi.Manifest) {
		c := &m.Controllers[0]
		c.Primary.Namespaces, c.Primary.Selector = []string{"a", "b"}, "app=web"
		c.Reads = []abi.KindRead{{Kind: &abi.Kind{APIVersion: "v1", Kind: "Pod"}, Live: true}}
		c.Access = []abi.Access{{Kind: &abi.Kind{APIVersion: "v1", Kind: "Pod"}, Subresource: "status", Verbs: []string{"update", "patch"}, Namespaces: []string{"a"}}}
	})))
	if code != 0 || stderr != "" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	golden(t, "inspect-small.txt", stdout)
}

func TestInspectOfNamespaceowner(t *testing.T) {
	path := filepath.Join(t.TempDir(), "namespaceowner.wasm")
	code, stdout, stderr := loopdock(t, "build", "--module-version", "v7", "--output", path, filepath.Join("..", "..", "guests", "namespaceowner"))
	if code != 0 || stderr != "" {
		t.Fatalf("build: exit code %d, stderr %q", code, stderr)
	}
	if !regexp.MustCompile(`^\S+namespaceowner\.wasm  [0-9.]+ MB\n$`).MatchString(stdout) {
		t.Errorf("build prints %q", stdout)
	}
	if left, _ := filepath.Glob(path + "?*"); left != nil {
		t.Errorf("build leaves %q", left)
	}
	code, stdout, stderr = loopdock(t, "inspect", path)
	if code != 0 || stderr != "" {
		t.Errorf("inspect: exit code %d, stderr %q", code, stderr)
	}
	stdout = regexp.MustCompile(`(?m)^file .*$`).ReplaceAllString(stdout, "file      SIZE, DIGEST")
	golden(t, "inspect-namespaceowner.txt", stdout)
}

func TestBuildOfABrokenGuest(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module broken\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() { undefined() }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := file(t, "old.wasm", []byte("what was there"))
	code, stdout, stderr := loopdock(t, "build", "--output", out, dir)
	want := regexp.MustCompile(`^# broken\n\./main\.go:3:15: undefined: undefined\nloopdock: cannot build \S+: go build refused it \(see above\)\n$`)
	if code != 1 || stdout != "" || !want.MatchString(stderr) {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	if b, err := os.ReadFile(out); err != nil || string(b) != "what was there" {
		t.Errorf("the file that was there is now %q, %v", b, err)
	}
	if left, _ := filepath.Glob(out + "?*"); left != nil {
		t.Errorf("it leaves %q", left)
	}
}

func TestBuildWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	refused(t, []string{"build", "--output", filepath.Join(t.TempDir(), "x.wasm"), t.TempDir()}, "go command is not on PATH", "install Go")
}
