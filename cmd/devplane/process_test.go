//go:build linux

package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// asProgram makes the test binary devplane itself, as parent and as child.
const asProgram = "DEVPLANE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// program is a devplane under test.
type program struct {
	cmd    *exec.Cmd
	stdout *bufio.Scanner
	stderr bytes.Buffer
	temp   string
}

// startProgram starts one and waits until it is ready.
func startProgram(t *testing.T, args ...string) *program {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp("", "dp") //nolint:usetesting // short, for the sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temp) })
	p := &program{cmd: exec.Command(exe, args...), temp: temp} //nolint:noctx // its end is what is tested
	p.cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+temp)
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdout = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.expect(t, "READY kubeconfig=")
	return p
}

func (p *program) expect(t *testing.T, prefix string) {
	t.Helper()
	if !p.stdout.Scan() || !strings.HasPrefix(p.stdout.Text(), prefix) {
		t.Fatalf("stdout has %q, want %q; stderr:\n%s", p.stdout.Text(), prefix, &p.stderr)
	}
}

// wait waits for its end and gives the exit code.
func (p *program) wait(t *testing.T) int {
	t.Helper()
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// identity is a process for good: its id and when it started.
type identity struct {
	pid   int
	start string
}

// stat reads what the kernel knows of a process, from its state on.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

func (id identity) alive() bool {
	f := stat(id.pid)
	return f != nil && f[19] == id.start && f[0] != "Z" && f[0] != "X"
}

// children gives the living children of a process.
func children(t *testing.T, parent int) []identity {
	t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	var found []identity
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if f := stat(pid); f != nil && f[1] == strconv.Itoa(parent) {
			found = append(found, identity{pid, f[19]})
		}
	}
	return found
}

func commandLine(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.ReplaceAll(string(text), "\x00", " ")
}

// allGone waits until none of the processes lives.
func allGone(t *testing.T, ids []identity) {
	t.Helper()
	deadline := time.NewTimer(10 * time.Second)
	defer deadline.Stop()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for slices.ContainsFunc(ids, identity.alive) {
		select {
		case <-ticker.C:
		case <-deadline.C:
			for _, id := range ids {
				if id.alive() {
					t.Errorf("still there: %s", commandLine(id.pid))
				}
			}
			return
		}
	}
}

func TestKilledParentLeavesNoChild(t *testing.T) {
	p := startProgram(t, "--nodes", "1", "--scheduler", "--controllers", "*")
	ids := children(t, p.cmd.Process.Pid)
	if len(ids) != 5 {
		t.Errorf("there are %d children, want 5", len(ids))
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	allGone(t, ids)
	p.wait(t)
}

func TestInterruptEndsInGoodOrder(t *testing.T) {
	p := startProgram(t)
	ids := children(t, p.cmd.Process.Pid)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(t); code != 0 {
		t.Errorf("exit code %d; stderr:\n%s", code, &p.stderr)
	}
	allGone(t, ids)
	if left, _ := os.ReadDir(p.temp); len(left) > 0 {
		t.Errorf("%s is left", left[0].Name())
	}
}

func TestDeadChildEndsThePlane(t *testing.T) {
	p := startProgram(t)
	ids := children(t, p.cmd.Process.Pid)
	for _, id := range ids {
		if strings.Contains(commandLine(id.pid), " child "+etcdName+" ") {
			if err := syscall.Kill(id.pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	if code := p.wait(t); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if !strings.Contains(p.stderr.String(), "devplane: etcd ended: signal: killed\n") {
		t.Errorf("stderr does not name etcd:\n%s", &p.stderr)
	}
	allGone(t, ids)
}

func TestAPIServerGoesAndComesBack(t *testing.T) {
	p := startProgram(t)
	if err := p.cmd.Process.Signal(syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	p.expect(t, "DOWN apiserver")
	if n := len(children(t, p.cmd.Process.Pid)); n != 1 {
		t.Errorf("there are %d children, want etcd alone", n)
	}
	if err := p.cmd.Process.Signal(syscall.SIGUSR2); err != nil {
		t.Fatal(err)
	}
	p.expect(t, "UP apiserver")
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := p.wait(t); code != 0 {
		t.Errorf("exit code %d; stderr:\n%s", code, &p.stderr)
	}
}
