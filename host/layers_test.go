package host_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const root = "github.com/loopdock/loopdock"

// layers is the floor plan: what of the project each package may import, tests
// aside. A package that is not listed fails the test.
var layers = map[string][]string{
	"abi/wire":              {},
	"abi":                   {"abi/wire"},
	"abi/abigen":            {},
	"abi/conformance":       {"abi", "abi/wire"},
	"abi/conformance/guest": {"abi", "abi/wire"},

	"sdk-go":         {"abi", "abi/wire", "sdk-go/view", "sdk-go/view/*"},
	"sdk-go/view":    {"abi/wire"},
	"sdk-go/view/*":  {"abi/wire", "sdk-go/view", "sdk-go/view/*"},
	"sdk-go/meta":    {"abi", "abi/wire", "sdk-go", "sdk-go/view", "sdk-go/view/*"},
	"sdk-go/json":    {"abi", "abi/wire", "sdk-go"},
	"sdk-go/sdktest": {"abi", "abi/wire", "sdk-go", "sdk-go/view", "sdk-go/view/*", "sdk-go/meta"},
	"sdk-go/viewgen": {},
	"guests/*":       {"abi", "abi/wire", "sdk-go", "sdk-go/view", "sdk-go/view/*", "sdk-go/meta", "sdk-go/json"},

	"informercache":  {"abi/wire"},
	"host/policy":    {"abi"},
	"host/queue":     {},
	"host/elect":     {},
	"host/registry":  {},
	"host/telemetry": {},
	"host/meter":     {},
	"host/sandbox":   {"abi", "abi/wire", "host/meter"},
	"host/subscribe": {"abi/wire", "informercache"},
	"host/writer":    {"abi", "abi/wire", "host/policy"},
	"host/reads":     {"abi", "abi/wire", "informercache", "host/policy", "host/subscribe"},
	"host/loop":      {"abi", "abi/wire", "informercache", "host/policy", "host/queue", "host/reads", "host/sandbox", "host/subscribe", "host/writer"},
	"host":           {"abi", "abi/wire", "informercache", "host/*"},
	"host/hosttest":  {"abi", "host", "host/*", "informercache", "cmd/plane", "cmd/plane/planetest"},

	"cmd/plane":           {},
	"cmd/plane/planetest": {"cmd/plane"},
	"cmd/loopdock":        {"abi", "host", "host/elect", "host/sandbox", "cmd/plane"},
	"cmd/docking":         {},
	"cmd/demo":            {"cmd/docking", "cmd/plane"},
	"cmd/parity":          {"cmd/docking", "cmd/plane"},
}

type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
}

// list runs go list -json over the root module.
func list(t *testing.T, env []string, args ...string) []pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports,Deps"}, args...)...)
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var pkgs []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p pkg
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	return pkgs
}

// allowed gives the row of the floor plan for a package.
func allowed(name string) ([]string, bool) {
	if row, ok := layers[name]; ok {
		return row, true
	}
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		row, ok := layers[name[:i]+"/*"]
		return row, ok
	}
	return nil, false
}

func TestImportsRunDownwards(t *testing.T) {
	for _, p := range list(t, nil, "./...") {
		name := strings.TrimPrefix(p.ImportPath, root+"/")
		row, known := allowed(name)
		if !known {
			t.Errorf("%s has no place in the floor plan", name)
			continue
		}
		for _, imported := range p.Imports {
			dep, ours := strings.CutPrefix(imported, root+"/")
			if !ours {
				continue
			}
			if !slices.ContainsFunc(row, func(a string) bool {
				family, all := strings.CutSuffix(a, "/*")
				return a == dep || (all && strings.HasPrefix(dep, family+"/"))
			}) {
				t.Errorf("%s imports %s, which the floor plan does not allow", name, dep)
			}
		}
	}
}

func TestRootModuleStaysLight(t *testing.T) {
	for _, p := range list(t, nil, "-test", "./...") {
		for _, dep := range p.Deps {
			if dep == "k8s.io/kubernetes" || strings.HasPrefix(dep, "k8s.io/kubernetes/") {
				t.Errorf("%s reaches %s", p.ImportPath, dep)
			}
		}
	}
}

func TestSandboxKnowsNoKubernetes(t *testing.T) {
	for _, p := range list(t, nil, "./host/sandbox", "./abi/...", "./sdk-go", "./sdk-go/view/...", "./sdk-go/meta") {
		for _, dep := range p.Deps {
			if strings.HasPrefix(dep, "k8s.io/") {
				t.Errorf("%s reaches %s", p.ImportPath, dep)
			}
		}
	}
}

// TestGuestsStaySmall: each of these packages costs every guest.
func TestGuestsStaySmall(t *testing.T) {
	heavy := []string{"fmt", "reflect", "encoding/json", "google.golang.org/protobuf/encoding/protowire"}
	for _, p := range list(t, []string{"GOOS=wasip1", "GOARCH=wasm"}, "./abi", "./abi/wire", "./sdk-go", "./sdk-go/view/corev1", "./sdk-go/meta", "./guests/replicaset") {
		for _, dep := range p.Deps {
			if slices.Contains(heavy, dep) {
				t.Errorf("%s reaches %s", p.ImportPath, dep)
			}
		}
	}
}
