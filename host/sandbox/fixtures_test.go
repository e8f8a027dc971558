package sandbox

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fixtures are the names of the modules in a folder.
func fixtures(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.wat"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures in %s: %v", dir, err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".wat")
	}
	return files
}

// TestFixturesAreAssembled: the .wasm beside each .wat is what wat2wasm makes of it.
func TestFixturesAreAssembled(t *testing.T) {
	wat2wasm, err := exec.LookPath("wat2wasm")
	if err != nil {
		t.Skip("wat2wasm is not on PATH (package wabt)")
	}
	for _, dir := range []string{hostileDir, "testdata"} {
		for _, name := range fixtures(t, dir) {
			source := filepath.Join(dir, name+".wat")
			out := filepath.Join(t.TempDir(), name+".wasm")
			if msg, err := exec.CommandContext(t.Context(), wat2wasm, source, "-o", out).CombinedOutput(); err != nil {
				t.Errorf("wat2wasm %s: %v\n%s", source, err, msg)
				continue
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, readFixture(t, name)) {
				t.Errorf("%s.wasm is not what its source says: wat2wasm %s", name, source)
			}
		}
	}
}

// TestHostileFixturesAreUsed: each one stands in a table.
func TestHostileFixturesAreUsed(t *testing.T) {
	for _, name := range fixtures(t, hostileDir) {
		_, refused := refusals[name]
		_, docks := hostileCalls[name]
		_, spins := spinning[name]
		if !refused && !docks && !spins {
			t.Errorf("no table has %s", name)
		}
	}
}
