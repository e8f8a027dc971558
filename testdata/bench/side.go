package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/cmd/docking"
	"github.com/loopdock/loopdock/cmd/plane"
)

// The two sides.
const (
	ours = "ours"
	peer = "peer"
)

// all is every module.
var all = func() (names []string) {
	for _, m := range docking.Modules {
		names = append(names, m.Name)
	}
	return names
}()

// A side is a plane with one of the two at work.
type side struct {
	name    string
	options *options
	bench   *benchmark
	dir     string
	plane   *plane.Plane
	config  *rest.Config
	client  kubernetes.Interface

	host   *docking.Host // ours
	native *exec.Cmd     // the peer's
	life   *os.File
	log    *os.File
}

// newSide starts a plane on which nothing runs yet.
func newSide(ctx context.Context, o *options, b *benchmark, name, dir string) (*side, error) {
	cfg := b.plane
	cfg.Binary, cfg.Dir = filepath.Join(o.bin, "devplane"), filepath.Join(dir, "plane")
	p, err := plane.Start(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s := &side{name: name, options: o, bench: b, dir: dir, plane: p}
	if s.config, err = p.RESTConfig(); err == nil {
		s.client, err = kubernetes.NewForConfig(s.config)
	}
	if err == nil {
		s.log, err = os.Create(filepath.Join(dir, "log")) //nolint:gosec // in our own folder
	}
	if err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// natives is the native controllers that the benchmark is about.
func (s *side) natives() []docking.Native {
	var out []docking.Native
	for _, m := range docking.Find(s.bench.modules...) {
		out = append(out, m.Natives...)
	}
	return out
}

// begin starts the side's controllers. Ours all run when it returns; when the
// peer's do is only seen by what they do.
func (s *side) begin(ctx context.Context) error {
	if s.name == peer {
		return s.beginNative()
	}
	cfg := docking.Config{Binary: filepath.Join(s.options.bin, "loopdock"), Kubeconfig: s.plane.Kubeconfig(), Log: s.log}
	for _, module := range s.bench.modules {
		cfg.Modules = append(cfg.Modules, filepath.Join(s.options.guests, module+".wasm"))
	}
	flags, names, err := docking.StandIn(s.dir, s.config, s.natives()...)
	if err != nil {
		return err
	}
	cfg.Args = append(flags, "--cache-dir", filepath.Join(s.options.guests, "..", "bench-cache"))
	if s.host, err = docking.Start(ctx, cfg); err != nil {
		return err
	}
	return s.host.Await(ctx, docking.Running(names...))
}

// beginNative starts kube-controller-manager with the same controllers and no limit
// on its requests.
func (s *side) beginNative() error {
	config := rest.CopyConfig(s.config)
	if err := rest.LoadTLSFiles(config); err != nil {
		return err
	}
	ca := filepath.Join(s.dir, "ca.crt")
	if err := os.WriteFile(ca, config.CAData, 0o600); err != nil {
		return err
	}
	var natives []string
	for _, n := range s.natives() {
		natives = append(natives, n.Name)
	}
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	defer read.Close() //nolint:errcheck // the child has its own
	s.life = write
	s.native = exec.Command(filepath.Join(s.options.bin, "devplane"), "child", "kube-controller-manager", //nolint:gosec,noctx // our own program, ended by stop
		"--kubeconfig", s.plane.Kubeconfig(), "--controllers", strings.Join(natives, ","), "--use-service-account-credentials",
		"--root-ca-file", ca, "--leader-elect=false", "--kube-api-qps=5000", "--kube-api-burst=5000",
		"--bind-address=127.0.0.1", "--secure-port=0", "--flex-volume-plugin-dir", filepath.Join(s.dir, "flexvolume"))
	s.native.ExtraFiles = []*os.File{read}
	s.native.Stdout, s.native.Stderr = s.log, s.log
	s.native.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.native.Start(); err != nil {
		return fmt.Errorf("cannot start kube-controller-manager: %w", err)
	}
	return nil
}

// pid is the process at work.
func (s *side) pid() int {
	if s.host != nil {
		return s.host.Pid()
	}
	return s.native.Process.Pid
}

// end ends the side's controllers; the plane stays.
func (s *side) end() error {
	var err error
	if s.host != nil {
		err = s.host.Stop()
		s.host = nil
	}
	if s.native != nil {
		_ = s.native.Process.Signal(syscall.SIGTERM) // it may have ended
		timer := time.AfterFunc(15*time.Second, func() { _ = s.native.Process.Kill() })
		_ = s.native.Wait() // how it ended is of no interest
		timer.Stop()
		err = errors.Join(err, s.life.Close())
		s.native = nil
	}
	return err
}

// stop ends everything.
func (s *side) stop() {
	if err := s.end(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	s.plane.Stop()
	if s.log != nil {
		_ = s.log.Close() // nobody reads it any more
	}
}
