package conformance

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

const guestPackage = "github.com/loopdock/loopdock/abi/conformance/guest"

// build compiles the conformance guest, once a process.
var build = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder for temporary files
	file := filepath.Join(dir, "guest.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", file, guestPackage) //nolint:gosec // a package of our own
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return out, err
	}
	return os.ReadFile(file) //nolint:gosec // built above
})

// Build gives the conformance guest as a module. It needs the go command.
func Build(tb testing.TB) []byte {
	tb.Helper()
	wasm, err := build()
	if err != nil {
		tb.Fatalf("cannot build the conformance guest: %v\n%s", err, wasm)
	}
	return wasm
}
