//go:build !wasip1

package sdk_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestCoreStaysSmall holds the core to what it promises about its imports.
func TestCoreStaysSmall(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", ".")
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("cannot list the imports: %v", err)
	}
	deps := strings.Fields(string(out))
	for _, banned := range []string{"fmt", "reflect", "encoding/json", "google.golang.org/protobuf/encoding/protowire"} {
		if slices.Contains(deps, banned) {
			t.Errorf("a guest would carry %s", banned)
		}
	}
}
