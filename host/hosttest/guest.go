package hosttest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/loopdock/loopdock/host/sandbox"
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
	flags := make([]string, 0, 1+len(variables))
	flags = append(flags, "-s -w")
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		flags = append(flags, "-X main."+name+"="+variables[name])
	}
	ldflags := strings.Join(flags, " ")
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
	warm(tb, folder, wasm)
	if built.modules == nil {
		built.modules = map[string][]byte{}
	}
	built.modules[id] = wasm
	return wasm
}

// warm compiles a guest into the folder that hosts take it from, so that several
// that dock it at once don't compile it side by side.
func warm(tb testing.TB, name string, wasm []byte) {
	tb.Helper()
	runtime, err := sandbox.New(tb.Context(), sandbox.Config{CacheDir: CacheDir(tb)})
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := runtime.Load(tb.Context(), name, wasm); err != nil {
		tb.Error(err)
	}
	if err := runtime.Close(tb.Context()); err != nil {
		tb.Error(err)
	}
}

// CacheDir is the folder for compiled modules of hosts that have none of their
// own. It stays between runs.
func CacheDir(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join(Root(tb), ".build", "compiled")
	if err := os.MkdirAll(filepath.Dir(dir), 0o750); err != nil {
		tb.Fatal(err)
	}
	return dir
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
