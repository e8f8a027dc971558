package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
)

// hostProcess is the program loopdock at work.
type hostProcess struct {
	cmd    *exec.Cmd
	log    *os.File
	exited chan struct{}
	err    error // how it ended; read after exited
}

var servingLine = regexp.MustCompile(`msg=serving address=(\S+)`)

// startHost docks the guests and returns when every controller runs.
func startHost(ctx context.Context, o *options, log, kubeconfig string, docked []*controller) (*hostProcess, error) {
	args := []string{"run", "--kubeconfig", kubeconfig, "--metrics-address", "127.0.0.1:0"}
	for _, c := range docked {
		args = append(args, "--module", c.file(o.guests))
		for i := range c.natives {
			if n := &c.natives[i]; n.guest != "" {
				args = append(args, "--user", n.guest+"="+n.user())
			}
			if c.natives[i].guest == publisher {
				config, err := rootCAConfig(filepath.Dir(log), kubeconfig)
				if err != nil {
					return nil, err
				}
				args = append(args, "--config", publisher+"="+config)
			}
		}
	}
	f, err := os.Create(log) //nolint:gosec // in our own folder
	if err != nil {
		return nil, err
	}
	h := &hostProcess{log: f, exited: make(chan struct{})}
	h.cmd = exec.Command(filepath.Join(o.bin, "loopdock"), args...) //nolint:gosec,noctx // our own program, ended by stop
	serving := make(chan string, 1)
	var once sync.Once
	h.cmd.Stderr = &lines{to: f, each: func(line string) {
		if m := servingLine.FindStringSubmatch(line); m != nil {
			once.Do(func() { serving <- m[1] })
		}
	}}
	h.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is ours to pass on
	if err := h.cmd.Start(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	go func() { // stop waits
		h.err = h.cmd.Wait()
		close(h.exited)
	}()
	select {
	case address := <-serving:
		err = awaitDocked(ctx, address, docked)
	case <-h.exited:
		err = h.ended()
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot dock the guests: %w (see %s)", err, log), h.stop())
	}
	return h, nil
}

// awaitDocked waits until every controller of the table runs, and no other.
func awaitDocked(ctx context.Context, address string, docked []*controller) error {
	var last error
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		status, err := getStatus(ctx, address)
		if err != nil {
			last = err
			return false, nil //nolint:nilerr // tried again, and told if time is over
		}
		for file, why := range status.Failed {
			return false, fmt.Errorf("%s: %s", filepath.Base(file), why)
		}
		last = status.check(docked)
		return last == nil, nil
	})
	if wait.Interrupted(err) && last != nil {
		return last
	}
	return err
}

// hostStatus is what is read of /status.
type hostStatus struct {
	Controllers []struct{ Name, Phase, Message string }
	Failed      map[string]string
}

func getStatus(ctx context.Context, address string) (*hostStatus, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/status", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	var status hostStatus
	return &status, json.NewDecoder(resp.Body).Decode(&status)
}

// check is nil if exactly the docked controllers run.
func (s *hostStatus) check(docked []*controller) error {
	waiting := map[string]bool{}
	for _, c := range docked {
		for i := range c.natives {
			waiting[c.natives[i].guest] = true
		}
	}
	var faults []string
	for _, c := range s.Controllers {
		switch {
		case !waiting[c.Name]:
			faults = append(faults, c.Name+" is docked, which the table of controllers does not know")
		case c.Phase != "Running":
			faults = append(faults, c.Name+" does not run yet: "+c.Message)
		}
		delete(waiting, c.Name)
	}
	for name := range waiting {
		faults = append(faults, name+" is not docked")
	}
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "; "))
	}
	return nil
}

// ended tells how it ended, nil while it runs.
func (h *hostProcess) ended() error {
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

// stop ends loopdock in an orderly way.
func (h *hostProcess) stop() error {
	if err := h.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-h.exited:
	case <-time.After(15 * time.Second):
		_ = h.cmd.Process.Kill() // it had its time
		<-h.exited
	}
	return h.log.Close()
}
