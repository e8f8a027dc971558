package hosttest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// built are the guests that this test binary has built, by folder and variables.
var built struct {
	sync.Mutex
	modules map[string][]byte
}

// Guest builds a guest, once a test binary: a folder from the project's root on,
// and string variables of its package to set. The ReplicaSet controller of
// release v1 is
//
//	Guest(t, "guests/replicaset", map[string]string{"version": "v1"})
func Guest(tb testing.TB, folder string, variables map[string]string) []byte {
	tb.Helper()
	ldflags := "-s -w"
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		ldflags += " -X main." + name + "=" + variables[name] //nolint:modernize,perfsprint // one or two
	}
	id := folder + " " + ldflags
	built.Lock()
	defer built.Unlock()
	if wasm := built.modules[id]; wasm != nil {
		return wasm
	}
	out := filepath.Join(tb.TempDir(), "guest.wasm")
	cmd := exec.CommandContext(tb.Context(), "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags="+ldflags, "-o", out, "./"+folder) //nolint:gosec // a package of our own
	cmd.Dir = Root(tb)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	if said, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("cannot build %s: %v\n%s", folder, err, said)
	}
	wasm, err := os.ReadFile(out) //nolint:gosec // that was just built
	if err != nil {
		tb.Fatal(err)
	}
	if built.modules == nil {
		built.modules = map[string][]byte{}
	}
	built.modules[id] = wasm
	return wasm
}

// ReplicaSet is the ReplicaSet controller of a release.
func ReplicaSet(tb testing.TB, release string) []byte {
	tb.Helper()
	return Guest(tb, "guests/replicaset", map[string]string{"version": release})
}

// Root is the project's folder.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			tb.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}

// Put writes a module where a host may look for it, by an atomic rename.
func Put(tb testing.TB, path string, wasm []byte) {
	tb.Helper()
	partial := fmt.Sprintf("%s.%d.partial", path, os.Getpid())
	if err := os.WriteFile(partial, wasm, 0o600); err != nil {
		tb.Fatal(err)
	}
	if err := os.Rename(partial, path); err != nil {
		tb.Fatal(err)
	}
}
