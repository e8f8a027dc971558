package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"github.com/loopdock/loopdock/cmd/plane"
)

func devArgs(t *testing.T, kubeconfig string, more ...string) []string {
	t.Helper()
	good := file(t, "good.wasm", doNothing("good", nil))
	return append([]string{"dev", "--module", good, "--cache-dir", t.TempDir(), "--nodes", "0", "--kubeconfig", kubeconfig}, more...)
}

func TestDevWithoutDevplane(t *testing.T) {
	args := devArgs(t, filepath.Join(t.TempDir(), "kubeconfig"))
	t.Setenv(plane.BinaryVariable, "")
	t.Chdir(t.TempDir())
	failed(t, args, "devplane is not built", "make devplane")
	t.Setenv(plane.BinaryVariable, "/nope/devplane")
	failed(t, args, plane.BinaryVariable, "/nope/devplane", "not an executable file")
}

func TestDevKeepsWhatIsNotItsOwn(t *testing.T) {
	refused(t, devArgs(t, "/nope/kubeconfig"), "cannot write the kubeconfig /nope/kubeconfig", "--kubeconfig")
	refused(t, devArgs(t, t.TempDir()), "is no kubeconfig of dev", "--kubeconfig")
	const text = "apiVersion: v1\nkind: Config\nclusters:\n- name: production\n  cluster: {server: https://example.com}\n"
	path := file(t, "kubeconfig", []byte(text))
	refused(t, devArgs(t, path), path, "is no kubeconfig of dev", "--kubeconfig")
	if b, err := os.ReadFile(path); err != nil || string(b) != text {
		t.Errorf("the file is now %q, %v", b, err)
	}
}

func TestDevExplainsABadPlane(t *testing.T) {
	failed(t, devArgs(t, filepath.Join(t.TempDir(), "kubeconfig"), "--nodes", "1000000"), "cannot start the plane", "--nodes 1000000")
	failed(t, devArgs(t, filepath.Join(t.TempDir(), "kubeconfig"), "--dir", os.DevNull), "cannot start the plane", os.DevNull)
}

// processes gives those whose command line holds a text.
func processes(t *testing.T, text string) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, path := range lines {
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte(text)) { // it may have ended meanwhile
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, pid)
		}
	}
	return out
}

func TestDevEndsWithAllThatItStarted(t *testing.T) {
	dir := t.TempDir()
	kubeconfig := filepath.Join(dir, "kubeconfig")
	r := start(t, devArgs(t, kubeconfig, "--dir", filepath.Join(dir, "data"))...)
	r.says(t, "docked")
	if out := r.stdout.String(); !strings.Contains(out, "export KUBECONFIG="+kubeconfig) {
		t.Errorf("it prints on stdout:\n%s", out)
	}
	if _, err := clientcmd.LoadFromFile(kubeconfig); err != nil {
		t.Error(err)
	}
	if len(processes(t, dir)) < 3 {
		t.Errorf("there are processes %v, want devplane, etcd and the API server", processes(t, dir))
	}
	if code := r.interrupt(); code != 0 {
		t.Errorf("the exit code is %d; stderr:\n%s", code, r.stderr.String())
	}
	if left := processes(t, dir); left != nil {
		t.Errorf("it leaves the processes %v", left)
	}
	if err := checkKubeconfigTarget(kubeconfig); err != nil {
		t.Errorf("it can't be started again: %v", err)
	}
}

func TestDevEndsWithItsPlane(t *testing.T) {
	dir := t.TempDir()
	r := start(t, devArgs(t, filepath.Join(dir, "kubeconfig"))...)
	r.says(t, "docked")
	for _, pid := range processes(t, dir) {
		p, err := os.FindProcess(pid)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	code := <-r.ended
	close(r.ended)
	if last := withoutLog(r.stderr.String()); code != 1 || !strings.Contains(last, "loopdock: the control plane ended by itself") {
		t.Errorf("the exit code is %d; stderr:\n%s", code, last)
	}
}

func TestPlaneOutput(t *testing.T) {
	var shown bytes.Buffer
	p := &planeOutput{to: &shown}
	for _, part := range []string{
		"devplane: etcd ready (0.4 s)\ndevplane: kwok sta", "rted\n", "devplane: kube-apiserver ready again (6.1 s)\n",
		"devplane: ready (6.9 s in all)\n", "devplane: kube-apiserver ended: out of memory\n", "last lines of its log:\nall is ready\n",
	} {
		if n, err := p.Write([]byte(part)); n != len(part) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	want := "devplane: etcd ready (0.4 s)\ndevplane: kwok started\ndevplane: kube-apiserver ready again (6.1 s)\ndevplane: ready (6.9 s in all)\n"
	if shown.String() != want {
		t.Errorf("it shows:\n%s", shown.String())
	}
	if got := p.heldBack(); got != "kube-apiserver ended: out of memory; last lines of its log:; all is ready" {
		t.Errorf("it holds back %q", got)
	}
}
