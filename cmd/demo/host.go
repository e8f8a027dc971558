package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"time"
)

// hostProcess is the program loopdock at work.
type hostProcess struct {
	cmd     *exec.Cmd
	dir     string
	module  string        // the docked file
	address string        // of /status
	exited  chan struct{} // closed after failed is set
	failed  error
}

var servingLine = regexp.MustCompile(`msg=serving address=(\S+)`)

// startHost copies the guest to where it can be replaced, and runs loopdock.
func startHost(ctx context.Context, bin, guests, kubeconfig string) (*hostProcess, error) {
	dir, err := os.MkdirTemp("", "loopdock-demo-")
	if err != nil {
		return nil, err
	}
	h := &hostProcess{dir: dir, module: filepath.Join(dir, "replicaset.wasm"), exited: make(chan struct{})}
	if err := replaceFile(h.module, filepath.Join(guests, "replicaset.wasm")); err != nil {
		return nil, err
	}
	say("Docking replicaset.wasm: loopdock run --module replicaset.wasm")
	h.cmd = exec.Command(filepath.Join(bin, "loopdock"), "run", "--kubeconfig", kubeconfig, "--module", h.module, //nolint:gosec,noctx // our own program, ended by stop
		"--metrics-address", "127.0.0.1:0", "--workers", "replicaset=2")
	serving := make(chan string, 1)
	h.cmd.Stderr = &prefixed{to: os.Stdout, line: func(b []byte) {
		if m := servingLine.FindSubmatch(b); m != nil {
			serving <- string(m[1])
		}
	}}
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours to pass on
	if err := h.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { // stop waits
		defer close(h.exited)
		h.failed = h.cmd.Wait()
	}()
	select {
	case h.address = <-serving:
		return h, nil
	case <-h.exited:
		return nil, fmt.Errorf("loopdock did not start: %w", errors.Join(h.failed, os.RemoveAll(dir)))
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), h.stop())
	}
}

// stop ends loopdock in an orderly way.
func (h *hostProcess) stop() error {
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-h.exited:
	case <-time.After(15 * time.Second):
		if err := h.cmd.Process.Kill(); err != nil { // it had its time
			return err
		}
	}
	return os.RemoveAll(h.dir)
}

// release is the version of the replicaset controller that runs now.
func (h *hostProcess) release(ctx context.Context) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.address+"/status", nil)
	if err != nil {
		return "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	var status struct {
		Controllers []struct{ Name, Release string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&status); err != nil {
		return "", err
	}
	for _, c := range status.Controllers {
		if c.Name == "replicaset" {
			return c.Release, nil
		}
	}
	return "", errors.New("the replicaset controller is not docked")
}

// replaceFile puts a copy of a file in another's place, by an atomic rename.
func replaceFile(to, from string) error {
	b, err := os.ReadFile(from) //nolint:gosec // a guest that was just built
	if err != nil {
		return err
	}
	if err := os.WriteFile(to+".partial", b, 0o600); err != nil { //nolint:gosec // in a folder of our own
		return err
	}
	return os.Rename(to+".partial", to)
}

// prefixed indents the lines of a program that runs beside the story.
type prefixed struct {
	to   io.Writer
	line func([]byte)
	mu   sync.Mutex
	rest []byte
}

// Write implements io.Writer.
func (p *prefixed) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rest = append(p.rest, b...)
	for {
		i := bytes.IndexByte(p.rest, '\n')
		if i < 0 {
			return len(b), nil
		}
		fmt.Fprintln(p.to, aside(p.rest[:i]))
		if p.line != nil {
			p.line(p.rest[:i])
		}
		p.rest = p.rest[i+1:]
	}
}
