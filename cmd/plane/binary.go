package plane

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// BinaryVariable is the environment variable that names the program devplane.
const BinaryVariable = "LOOPDOCK_DEVPLANE"

// ErrNotBuilt is FindBinary's error when there is no program devplane.
var ErrNotBuilt = errors.New("devplane is not built: run `make devplane`")

// moduleLine is in the go.mod at the root of the repository.
var moduleLine = regexp.MustCompile(`(?m)^module github\.com/loopdock/loopdock$`)

// FindBinary finds the program devplane: what LOOPDOCK_DEVPLANE names, else
// .build/bin/devplane in the repository of the working directory, else the one
// beside the running program.
func FindBinary() (string, error) {
	if path := os.Getenv(BinaryVariable); path != "" {
		if !isProgram(path) {
			return "", fmt.Errorf("cannot use %s=%s: it is not an executable file", BinaryVariable, path)
		}
		return path, nil
	}
	if dir, err := os.Getwd(); err == nil {
		if root, ok := findRoot(dir); ok {
			if path := filepath.Join(root, ".build", "bin", "devplane"); isProgram(path) {
				return path, nil
			}
		}
	}
	if exe, err := os.Executable(); err == nil {
		if path := filepath.Join(filepath.Dir(exe), "devplane"); isProgram(path) {
			return path, nil
		}
	}
	return "", ErrNotBuilt
}

// findRoot walks up from a directory to the root of the repository.
func findRoot(dir string) (string, bool) {
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod")) //nolint:gosec // only compared
		if err == nil && moduleLine.Match(text) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

func isProgram(path string) bool {
	info, err := os.Stat(path) //nolint:gosec // whoever runs this names the program
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
