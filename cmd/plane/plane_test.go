package plane

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestArgs(t *testing.T) {
	off := false
	for _, tc := range []struct {
		reason string
		cfg    Config
		want   []string
	}{
		{"the zero value asks for nothing but the lifeline", Config{}, nil},
		{
			"every field has its flag",
			Config{
				Dir: "/d", Kubeconfig: "/k", Port: 1, Nodes: 2, Scheduler: true, Controllers: "*", AuditLog: "/a",
				APIServerArgs: []string{"a=1", "b=2"}, ControllerArgs: []string{"c=3"},
				ServiceAccountAdmission: &off, ExtraArgs: []string{"--x"},
			},
			[]string{
				"--dir=/d", "--kubeconfig=/k", "--controllers=*", "--audit-log=/a", "--port=1", "--nodes=2", "--scheduler",
				"--service-account-admission=false", "--apiserver-arg=a=1", "--apiserver-arg=b=2", "--controller-arg=c=3", "--x",
			},
		},
	} {
		t.Run(tc.reason, func(t *testing.T) {
			want := append([]string{"--lifeline-fd", "3"}, tc.want...)
			if diff := cmp.Diff(want, tc.cfg.args()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestParseReady(t *testing.T) {
	for _, tc := range []struct {
		line string
		want readyLine
		ok   bool
	}{
		{"READY kubeconfig=/a/b server=https://127.0.0.1:1", readyLine{"/a/b", "https://127.0.0.1:1"}, true},
		{"READY kubeconfig=/a b/c server=https://x:1", readyLine{"/a b/c", "https://x:1"}, true},
		{"READY kubeconfig=/a", readyLine{}, false},
		{"DOWN apiserver", readyLine{}, false},
		{"", readyLine{}, false},
	} {
		if got, ok := parseReady(tc.line); got != tc.want || ok != tc.ok {
			t.Errorf("parseReady(%q) = %v, %t", tc.line, got, ok)
		}
	}
}

func TestLines(t *testing.T) {
	var got []string
	l := &lines{each: func(s string) { got = append(got, s) }}
	for _, part := range []string{"a", "b\ncd\n", "", "e", "\n\n", "f"} {
		if n, err := l.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatalf("Write(%q) = %d, %v", part, n, err)
		}
	}
	if diff := cmp.Diff([]string{"ab", "cd", "e", ""}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTail(t *testing.T) {
	var also strings.Builder
	w := &tail{also: &also}
	for _, line := range []string{"devplane: etcd ready\n", strings.Repeat("x", tailBytes), "\ndevplane: bad\nbecause\n"} {
		if _, err := w.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := w.String(), "devplane: bad\nbecause"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	if !strings.HasPrefix(also.String(), "devplane: etcd ready\n") {
		t.Error("the other writer has not everything")
	}
}

func TestFindBinary(t *testing.T) {
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	bin := filepath.Join(root, ".build", "bin", "devplane")
	for _, dir := range []string{deep, filepath.Dir(bin)} {
		if err := os.MkdirAll(dir, 0o750); err != nil {
			t.Fatal(err)
		}
	}
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(root, "go.mod"), "module github.com/loopdock/loopdock\n\ngo 1.26.0\n", 0o600)
	write(filepath.Join(root, "a", "go.mod"), "module github.com/loopdock/loopdock/a\n", 0o600)
	t.Setenv(BinaryVariable, "")
	t.Chdir(deep)
	if _, err := FindBinary(); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("nothing is built, and the error is %v", err)
	}
	write(bin, "", 0o600)
	if _, err := FindBinary(); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("it is not executable, and the error is %v", err)
	}
	if err := os.Chmod(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := FindBinary(); got != bin || err != nil {
		t.Errorf("FindBinary() = %q, %v, want %q", got, err, bin)
	}
	t.Setenv(BinaryVariable, filepath.Join(root, "go.mod"))
	if _, err := FindBinary(); err == nil || !strings.Contains(err.Error(), BinaryVariable) {
		t.Errorf("the variable names no program, and the error is %v", err)
	}
}
