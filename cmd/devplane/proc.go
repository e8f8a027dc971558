package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// proc is a child process.
type proc struct {
	name    string
	cmd     *exec.Cmd
	log     string // path of its log
	logFrom int64  // where this process's part of the log begins

	stopping atomic.Bool   // its end is wanted
	done     chan struct{} // closed when it has ended
	err      error         // how it ended; read after done
}

// spec says how to start a child.
type spec struct {
	name     string
	args     []string
	logDir   string
	lifeline *os.File // read end
}

// startProc starts this program again as one of its parts.
func startProc(s spec) (*proc, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", s.name, err)
	}
	p := &proc{name: s.name, log: filepath.Join(s.logDir, s.name+".log"), done: make(chan struct{})}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", s.name, err)
	}
	defer log.Close() //nolint:errcheck // the child writes it, not this process
	if p.logFrom, err = log.Seek(0, io.SeekEnd); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", s.name, err)
	}
	p.cmd = exec.Command(exe, append([]string{childCommand, s.name}, s.args...)...) //nolint:noctx,gosec // this program itself; ended by stop
	p.cmd.Dir = s.logDir
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.ExtraFiles = []*os.File{s.lifeline}
	p.cmd.SysProcAttr = childAttr()
	// What a part would look up in the user's home is not for this plane.
	p.cmd.Env = append(os.Environ(), "HOME="+s.logDir, "KUBECONFIG=")

	started := make(chan error)
	go func() {
		// The kernel's parent death signal follows the thread that started the
		// child, so this thread stays until the child has ended.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", s.name, err)
	}
	return p, nil
}

// kill ends the child without notice and waits for it.
func (p *proc) kill() {
	p.stopping.Store(true)
	killGroup(p.cmd.Process.Pid)
	<-p.done
}

// stop asks the child to end, and kills it when grace is over or force closed.
func (p *proc) stop(grace time.Duration, force <-chan struct{}) {
	p.stopping.Store(true)
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	case <-force:
	}
	p.kill()
}

// died describes the end of a child that should still be running.
func (p *proc) died() *childDiedError {
	tail := p.tail(12)
	// What cobra says about a bad flag is one line, below its usage text.
	if _, cause, found := strings.Cut("\n"+tail, "\nError: "); found {
		return &childDiedError{Name: p.name, Cause: strings.TrimSpace(cause)}
	}
	cause := "exit status 0"
	if p.err != nil {
		cause = p.err.Error()
	}
	return &childDiedError{Name: p.name, Cause: cause, Tail: tail}
}

// logged tells if this process wrote text to its log.
func (p *proc) logged(text string) bool { return bytes.Contains(p.ownLog(), []byte(text)) }

// tail gives the last lines of what this process logged.
func (p *proc) tail(lines int) string {
	all := strings.Split(strings.TrimSpace(string(p.ownLog())), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// ownLog gives up to the last 64 KiB of what this process logged.
func (p *proc) ownLog() []byte {
	f, err := os.Open(p.log)
	if err != nil {
		return nil
	}
	defer f.Close() //nolint:errcheck // only read
	const most = 64 << 10
	from := p.logFrom
	if end, err := f.Seek(0, io.SeekEnd); err == nil {
		from = max(from, end-most)
	}
	text, _ := io.ReadAll(io.NewSectionReader(f, from, most))
	return text
}

// childDiedError is the unexpected end of a child.
type childDiedError struct {
	Name  string // the part
	Cause string // one line
	Tail  string // the end of its log, if it says more
}

// Error names the part and the cause.
func (e *childDiedError) Error() string { return fmt.Sprintf("%s ended: %s", e.Name, e.Cause) }
