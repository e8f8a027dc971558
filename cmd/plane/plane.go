// Package plane starts the program devplane, a Kubernetes control plane of its
// own for a test, a benchmark or a session of development, and hands out a
// handle on it. The plane ends with the process that started it, however that
// ends.
package plane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Config says what a plane consists of. The zero value is etcd and an API server.
type Config struct {
	// Binary is the program; empty for what FindBinary finds.
	Binary string
	// Dir keeps data, logs and certificates; empty for a temporary directory that
	// is removed when the plane has stopped.
	Dir string
	// Kubeconfig is where the kubeconfig is written; empty for a file in the directory.
	Kubeconfig string
	// Port is the API server's; 0 for a free one.
	Port int
	// Nodes is how many fake nodes there are.
	Nodes int
	// Scheduler runs kube-scheduler.
	Scheduler bool
	// Controllers is kube-controller-manager's list of controllers, such as
	// "*,-job-controller"; empty for none.
	Controllers string
	// APIServerArgs and ControllerArgs are flags, as NAME=VALUE, that are added to
	// those of kube-apiserver and kube-controller-manager or replace them.
	APIServerArgs, ControllerArgs []string
	// AuditLog is a file for an audit log at level Metadata; empty for none.
	AuditLog string
	// ServiceAccountAdmission switches the ServiceAccount admission plugin; nil
	// leaves it on exactly if the service account controller runs.
	ServiceAccountAdmission *bool
	// ExtraArgs are further arguments of devplane, as they are.
	ExtraArgs []string
	// Stderr gets what devplane says while it works; nil for nobody. Its last lines
	// are part of Start's error in any case.
	Stderr io.Writer
}

// args renders the configuration as devplane's arguments.
func (c *Config) args() []string {
	args := []string{"--lifeline-fd", strconv.Itoa(lifelineFD)}
	for _, f := range []struct{ name, value string }{
		{"dir", c.Dir},
		{"kubeconfig", c.Kubeconfig},
		{"controllers", c.Controllers},
		{"audit-log", c.AuditLog},
	} {
		if f.value != "" {
			args = append(args, "--"+f.name+"="+f.value)
		}
	}
	if c.Port != 0 {
		args = append(args, "--port="+strconv.Itoa(c.Port))
	}
	if c.Nodes != 0 {
		args = append(args, "--nodes="+strconv.Itoa(c.Nodes))
	}
	if c.Scheduler {
		args = append(args, "--scheduler")
	}
	if c.ServiceAccountAdmission != nil {
		args = append(args, "--service-account-admission="+strconv.FormatBool(*c.ServiceAccountAdmission))
	}
	for _, arg := range c.APIServerArgs {
		args = append(args, "--apiserver-arg="+arg)
	}
	for _, arg := range c.ControllerArgs {
		args = append(args, "--controller-arg="+arg)
	}
	return append(args, c.ExtraArgs...)
}

// lifelineFD is the descriptor that devplane watches: the first after stderr.
const lifelineFD = 3

// Plane is a running control plane.
//
// # Notes
//
//   - Its methods are safe for concurrent use; StopAPIServer and StartAPIServer
//     take turns.
//   - Whoever started it calls Stop. If the process ends without, the plane ends
//     too.
type Plane struct {
	kubeconfig string
	server     string

	cmd      *exec.Cmd
	lifeline *os.File      // write end; closing it stops the plane
	done     chan struct{} // closed when devplane has ended
	err      error         // how it ended; read after done

	stderr  *tail
	replies chan string // the lines DOWN and UP
	asking  sync.Mutex  // held while one of them is waited for
	stop    sync.Once
}

// Start starts a plane and returns when it is ready. The context bounds the
// start, not the plane's life.
func Start(ctx context.Context, cfg Config) (*Plane, error) {
	if cfg.Binary == "" {
		binary, err := FindBinary()
		if err != nil {
			return nil, err
		}
		cfg.Binary = binary
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("cannot start devplane: %w", err)
	}
	defer read.Close() //nolint:errcheck // the plane has its own
	p := &Plane{
		cmd:      exec.Command(cfg.Binary, cfg.args()...), //nolint:noctx,gosec // the caller names the program; ended by Stop
		lifeline: write,
		done:     make(chan struct{}),
		replies:  make(chan string, 4),
		stderr:   &tail{also: cfg.Stderr},
	}
	ready := make(chan readyLine, 1)
	p.cmd.Stdout = &lines{each: p.onLine(ready)}
	p.cmd.Stderr = p.stderr
	p.cmd.ExtraFiles = []*os.File{read}
	p.cmd.SysProcAttr = procAttr()
	if err := p.launch(); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot start devplane: %w", err), write.Close())
	}
	select {
	case line := <-ready:
		p.kubeconfig, p.server = line.kubeconfig, line.server
		return p, nil
	case <-p.done:
		p.Stop()
		return nil, fmt.Errorf("cannot start the plane: %w", p.exitError())
	case <-ctx.Done():
		p.Stop()
		return nil, fmt.Errorf("cannot start the plane: %w", context.Cause(ctx))
	}
}

// launch starts the process from a thread that stays until the process has
// ended, because the kernel's parent death signal follows the thread.
func (p *Plane) launch() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.done)
		}
	}()
	return <-started
}

// onLine sorts the lines of devplane's stdout.
func (p *Plane) onLine(ready chan<- readyLine) func(string) {
	return func(line string) {
		if r, ok := parseReady(line); ok {
			select {
			case ready <- r:
			default:
			}
			return
		}
		select {
		case p.replies <- line:
		default: // nobody asked
		}
	}
}

// Kubeconfig is the path of the administrator's kubeconfig.
func (p *Plane) Kubeconfig() string { return p.kubeconfig }

// Server is the API server's address.
func (p *Plane) Server() string { return p.server }

// PID is devplane's process; the parts are its children.
func (p *Plane) PID() int { return p.cmd.Process.Pid }

// Done is closed when the plane has ended.
func (p *Plane) Done() <-chan struct{} { return p.done }

// RESTConfig is a connection as administrator without a limit of requests. Each
// call returns one of its own, which the caller may change.
func (p *Plane) RESTConfig() (*rest.Config, error) {
	config, err := clientcmd.BuildConfigFromFlags("", p.kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("cannot read the kubeconfig %s: %w", p.kubeconfig, err)
	}
	config.QPS = -1
	return config, nil
}

// StopAPIServer kills the API server and returns when it is gone. The rest of
// the plane goes on.
func (p *Plane) StopAPIServer(ctx context.Context) error {
	return p.ask(ctx, syscall.SIGUSR1, "DOWN apiserver")
}

// StartAPIServer starts the API server again, on the same port with the same
// data, and returns when it is ready.
func (p *Plane) StartAPIServer(ctx context.Context) error {
	return p.ask(ctx, syscall.SIGUSR2, "UP apiserver")
}

// ask sends a signal and waits for the line that answers it.
func (p *Plane) ask(ctx context.Context, signal os.Signal, answer string) error {
	p.asking.Lock()
	defer p.asking.Unlock()
	for drained := false; !drained; { // what an earlier call did not wait for
		select {
		case <-p.replies:
		default:
			drained = true
		}
	}
	if err := p.cmd.Process.Signal(signal); err != nil {
		return fmt.Errorf("cannot signal devplane: %w", err)
	}
	for {
		select {
		case line := <-p.replies:
			if line == answer {
				return nil
			}
		case <-p.done:
			return fmt.Errorf("cannot get %q from devplane: %w", answer, p.exitError())
		case <-ctx.Done():
			return fmt.Errorf("cannot get %q from devplane: %w", answer, context.Cause(ctx))
		}
	}
}

// patience is how long Stop waits for an orderly end; devplane bounds its own
// steps well below it.
const patience = 20 * time.Second

// Stop ends the plane and returns when it has ended.
func (p *Plane) Stop() {
	p.stop.Do(func() {
		_ = p.lifeline.Close()
		timer := time.NewTimer(patience)
		defer timer.Stop()
		select {
		case <-p.done:
		case <-timer.C:
			_ = p.cmd.Process.Kill()
		}
	})
	<-p.done
}

// exitError describes devplane's end by its own last words.
func (p *Plane) exitError() error {
	if words := p.stderr.String(); words != "" {
		return errors.New(words)
	}
	if p.err != nil {
		return fmt.Errorf("devplane ended: %w", p.err)
	}
	return errors.New("devplane ended")
}
