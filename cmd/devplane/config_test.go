package main

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestControllerRuns(t *testing.T) {
	for _, tc := range []struct {
		list string
		want bool
	}{
		{"", false},
		{"*", true},
		{"job-controller", false},
		{"serviceaccount-controller", true},
		{"serviceaccount", true},
		{"*,-serviceaccount-controller", false},
		{"-serviceaccount-controller,*", false},
		{"*, -serviceaccount", false},
		{"*,-job-controller", true},
		{"-job-controller", false},
	} {
		if got := controllerRuns(tc.list, "serviceaccount-controller", "serviceaccount"); got != tc.want {
			t.Errorf("controllerRuns(%q) = %t, want %t", tc.list, got, tc.want)
		}
	}
}

func TestFlags(t *testing.T) {
	var got Config
	err := newApp(io.Discard, func(c *cli.Context) (err error) {
		got, err = configFrom(c)
		return err
	}).Run([]string{
		"devplane", "--dir", "d", "--nodes", "3", "--controllers", "*,-job-controller",
		"--apiserver-arg", "feature-gates=A=true,B=false", "--apiserver-arg", "v=2",
		"--service-account-admission=false",
	})
	if err != nil {
		t.Fatal(err)
	}
	if wd, _ := os.Getwd(); got.Dir != filepath.Join(wd, "d") {
		t.Errorf("Dir = %q, want an absolute path", got.Dir)
	}
	if len(got.APIServerArgs) != 2 || got.APIServerArgs[0] != "feature-gates=A=true,B=false" {
		t.Errorf("APIServerArgs = %q, want the commas kept", got.APIServerArgs)
	}
	if got.ServiceAccountAdmission == nil || got.serviceAccountAdmission() {
		t.Error("the service account admission is on in spite of the flag")
	}
}

func TestBadInput(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()                                     //nolint:errcheck // a test's
	taken := strconv.Itoa(l.Addr().(*net.TCPAddr).Port) //nolint:errcheck // it is one
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		args []string
		want string
	}{
		{[]string{"--bogus"}, "flag provided but not defined: -bogus"},
		{[]string{"extra"}, `unexpected argument "extra"`},
		{[]string{"--nodes", "many"}, `invalid value "many" for flag -nodes`},
		{[]string{"--nodes", "-1"}, "--nodes -1 is not between 0 and"},
		{[]string{"--port", "70000"}, "--port 70000 is not a port"},
		{[]string{"--port", taken}, "cannot use port " + taken},
		{[]string{"--dir", file}, "cannot use the directory " + file},
		{[]string{"--dir", "/" + strings.Repeat("d", maxDirPath)}, "its path is longer than"},
		{[]string{"--kubeconfig", file + "/k"}, "cannot write the kubeconfig " + file + "/k"},
		{[]string{"--audit-log", filepath.Dir(file)}, "it is a directory"},
		{[]string{"--apiserver-arg", "=1"}, `--apiserver-arg: "=1" is not NAME=VALUE`},
		{[]string{"--controller-arg", "v=1"}, "--controller-arg needs --controllers"},
		{[]string{"--lifeline-fd", "2"}, "--lifeline-fd 2 is not an inherited descriptor"},
		{[]string{"--lifeline-fd", "999"}, "cannot use --lifeline-fd 999"},
	} {
		t.Run(strings.Join(tc.args, " "), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := run(append([]string{"devplane"}, tc.args...), &stdout, &stderr); code == 0 {
				t.Error("the exit code is 0")
			}
			last := strings.TrimSpace(stderr.String())
			if strings.Contains(last, "\n") || !strings.HasPrefix(last, "devplane: ") || !strings.Contains(last, tc.want) {
				t.Errorf("stderr is not one line with %q:\n%s", tc.want, last)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout: %s", &stdout)
			}
		})
	}
}
