// Package docking starts the program loopdock with guests docked, for a demo, a
// comparison or a benchmark, and hands out a handle on it.
package docking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Config says what is run, and how.
type Config struct {
	// Binary is the program.
	Binary string
	// Kubeconfig is that of the cluster.
	Kubeconfig string
	// Modules are the files to dock, or folders of them.
	Modules []string
	// Args are further flags of "loopdock run", as they are.
	Args []string
	// Log takes what the program says; nil for nobody.
	Log io.Writer
}

// Host is the program at work.
//
// # Notes
//
//   - Its methods are safe for concurrent use.
//   - Whoever started it calls Stop.
type Host struct {
	cmd     *exec.Cmd
	address string
	exited  chan struct{}
	err     error // how it ended; read after exited
}

// stopIn is how long the program may take to end in an orderly way.
const stopIn = 15 * time.Second

var servingLine = regexp.MustCompile(`msg=serving address=(\S+)`)

// Start runs the program and returns when it serves its status: its modules may
// not be docked yet. The context bounds the start, not the program's life.
func Start(ctx context.Context, cfg Config) (*Host, error) {
	args := slices.Concat([]string{"run", "--kubeconfig", cfg.Kubeconfig, "--metrics-address", "127.0.0.1:0"}, cfg.Args)
	for _, m := range cfg.Modules {
		args = append(args, "--module", m)
	}
	h := &Host{exited: make(chan struct{})}
	h.cmd = exec.Command(cfg.Binary, args...) //nolint:gosec,noctx // our own program, ended by Stop
	serving := make(chan string, 1)
	var once sync.Once
	log := cfg.Log
	if log == nil {
		log = io.Discard
	}
	h.cmd.Stderr = &Lines{To: log, Each: func(line string) {
		if m := servingLine.FindStringSubmatch(line); m != nil {
			once.Do(func() { serving <- m[1] })
		}
	}}
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is its starter's to pass on
	if err := h.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start loopdock: %w", err)
	}
	go func() { // Stop waits
		h.err = h.cmd.Wait()
		close(h.exited)
	}()
	select {
	case h.address = <-serving:
		return h, nil
	case <-h.exited:
		return nil, h.Err()
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), h.Stop())
	}
}

// Pid is the program's process.
func (h *Host) Pid() int { return h.cmd.Process.Pid }

// Done is closed when the program has ended.
func (h *Host) Done() <-chan struct{} { return h.exited }

// Err tells how the program ended, nil while it runs.
func (h *Host) Err() error {
	select {
	case <-h.exited:
		if h.err != nil {
			return fmt.Errorf("loopdock ended: %w", h.err)
		}
		return errors.New("loopdock ended")
	default:
		return nil
	}
}

// Stop ends the program in an orderly way, and returns when it has ended.
func (h *Host) Stop() error {
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("cannot stop loopdock: %w", err)
	}
	select {
	case <-h.exited:
	case <-time.After(stopIn):
		_ = h.cmd.Process.Kill() // it had its time
		<-h.exited
	}
	return nil
}
