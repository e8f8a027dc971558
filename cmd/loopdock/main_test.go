package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/loopdock/loopdock/cmd/plane/planetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestMain(m *testing.M) { planetest.Main(m) }

// output is a writer that may be read while a command runs.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// loopdock runs a command line to its end.
func loopdock(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var out, errs output
	code = run(ctx, append([]string{"loopdock"}, args...), &out, &errs)
	if ctx.Err() != nil {
		t.Fatalf("%q does not end by itself; stderr:\n%s", args, errs.String())
	}
	return code, out.String(), errs.String()
}

// refused runs a command line that must fail: with exit code 1 and one line on
// stderr beside the log, which holds every word of want, and ends with the
// remedy in parentheses.
func refused(t *testing.T, args []string, want ...string) {
	t.Helper()
	failed(t, args, append(want, " (", ")\n")...)
}

// failed is refused, where the remedy stands elsewhere.
func failed(t *testing.T, args []string, want ...string) {
	t.Helper()
	code, stdout, stderr := loopdock(t, args...)
	if code != 1 {
		t.Errorf("%q: the exit code is %d, want 1", args, code)
	}
	if stdout != "" {
		t.Errorf("%q prints on stdout:\n%s", args, stdout)
	}
	text, ok := strings.CutPrefix(withoutLog(stderr), "loopdock: ")
	if !ok || strings.Count(text, "\n") != 1 || !strings.HasSuffix(text, "\n") {
		t.Fatalf("%q: stderr is not one line:\n%s", args, stderr)
	}
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q: the line does not say %q:\n%s", args, w, text)
		}
	}
	for _, never := range []string{"panic", "goroutine ", ".go:", "%!", "<nil>", "wasm stack trace"} {
		if strings.Contains(text, never) {
			t.Errorf("%q: the line says %q:\n%s", args, never, text)
		}
	}
	if len(text) > 500 {
		t.Errorf("%q: the line has %d characters:\n%s", args, len(text), text)
	}
}

// withoutLog leaves the lines of the log out.
func withoutLog(stderr string) string {
	var out strings.Builder
	for l := range strings.Lines(stderr) {
		if !isLog(l) {
			out.WriteString(l)
		}
	}
	return out.String()
}

func isLog(line string) bool {
	return strings.HasPrefix(line, "time=") && strings.Contains(line, " level=")
}

// eventually polls until done, and fails if that takes unreasonably long.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, time.Minute, true,
		func(context.Context) (bool, error) { return done(), nil })
	if err != nil {
		t.Fatalf("waited for %s: %v", what, err)
	}
}

// file writes a file of the test's own and gives its path.
func file(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// golden compares a text with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got, -update rewrites it):\n%s", path, diff)
	}
}
