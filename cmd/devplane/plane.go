package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/kubernetes"
)

// plane is a running control plane.
type plane struct {
	cfg    *Config
	dir    *workDir
	pki    *pki
	stdout io.Writer
	stderr io.Writer

	lifeline *os.File // read end, for the children
	fail     context.CancelCauseFunc

	port       int
	server     string
	kubeconfig string
	client     kubernetes.Interface

	etcd, apiserver *proc
	others          []*proc // kwok, kube-scheduler, kube-controller-manager
}

// Run runs a plane until the context ends, a signal asks for its end, or a part
// of it dies.
func Run(ctx context.Context, cfg Config, stdout, stderr io.Writer) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	asked := listen(fail)
	defer asked.close()
	if cfg.LifelineFD != 0 {
		lifeline := os.NewFile(uintptr(cfg.LifelineFD), "lifeline")
		if err := checkLifeline(lifeline); err != nil {
			return fmt.Errorf("cannot use --lifeline-fd %d: %w", cfg.LifelineFD, err)
		}
		onEnd(lifeline, func() { fail(&endedError{"the caller is gone"}) })
	}

	dir, err := openDir(cfg.Dir)
	if err != nil {
		return err
	}
	defer dir.close()
	lifeline, hold, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("cannot make the lifeline: %w", err)
	}
	defer lifeline.Close() //nolint:errcheck // only read
	defer hold.Close()     //nolint:errcheck // never written

	p := &plane{cfg: &cfg, dir: dir, stdout: stdout, stderr: stderr, lifeline: lifeline, fail: fail}
	defer p.stop(asked.force)
	if err := p.start(ctx); err != nil {
		if _, ok := errors.AsType[*endedError](err); ok {
			return fmt.Errorf("stopped before it was ready: %w", err)
		}
		return err
	}
	write(stdout, "READY kubeconfig=%s server=%s\n", p.kubeconfig, p.server)
	err = p.serve(ctx, asked.restart)
	if _, ok := errors.AsType[*endedError](err); ok {
		p.say("stopping: %v", err)
		return nil
	}
	return err
}

// start starts all parts and returns when they are ready.
func (p *plane) start(ctx context.Context) error {
	begin := time.Now()
	if err := p.prepare(); err != nil {
		return err
	}
	if err := p.step("etcd ready", func() error { return p.startEtcd(ctx) }); err != nil {
		return err
	}
	if err := p.step("kube-apiserver ready", func() error { return p.startAPIServer(ctx) }); err != nil {
		return err
	}
	if err := p.writeKubeconfigs(); err != nil {
		return err
	}
	if err := p.startOthers(ctx); err != nil {
		return err
	}
	p.say("ready (%.1f s in all)", time.Since(begin).Seconds())
	return nil
}

// prepare writes what the parts read.
func (p *plane) prepare() error {
	var err error
	if p.pki, err = openPKI(p.dir); err != nil {
		return err
	}
	files := map[string]string{
		auditPolicyFile(p.dir): auditPolicy,
		kwokConfigFile(p.dir):  string(kwokConfig()),
	}
	for path, text := range files {
		if err := writeFile(path, []byte(text)); err != nil {
			return fmt.Errorf("cannot write %s: %w", path, err)
		}
	}
	p.kubeconfig = p.cfg.Kubeconfig
	if p.kubeconfig == "" {
		p.kubeconfig = p.dir.file("kubeconfig")
	}
	// What cannot be had later had better be known now.
	if p.cfg.Port != 0 {
		if err := checkPort(p.cfg.Port); err != nil {
			return err
		}
	}
	if err := checkWritable(p.kubeconfig); err != nil {
		return fmt.Errorf("cannot write the kubeconfig %s: %w", p.kubeconfig, err)
	}
	if p.cfg.AuditLog != "" {
		if err := checkWritable(p.cfg.AuditLog); err != nil {
			return fmt.Errorf("cannot write the audit log %s: %w", p.cfg.AuditLog, err)
		}
	}
	return nil
}

func (p *plane) startEtcd(ctx context.Context) error {
	var err error
	if p.etcd, err = p.launch(etcdName, etcdArgs(p.dir)); err != nil {
		return err
	}
	if err := await(ctx, p.etcd, etcdName, etcdHealthy(p.dir)); err != nil {
		return err
	}
	p.watch(p.etcd)
	return nil
}

// writeKubeconfigs writes the administrator's kubeconfig and those of the parts.
func (p *plane) writeKubeconfigs() error {
	for user, path := range map[string]string{
		adminUser:       p.kubeconfig,
		kwokUser:        p.dir.file("pki", kwokName+".kubeconfig"),
		schedulerUser:   p.dir.file("pki", schedulerName+".kubeconfig"),
		controllersUser: p.dir.file("pki", controllersName+".kubeconfig"),
	} {
		if err := p.pki.writeKubeconfig(path, user, p.server); err != nil {
			return err
		}
	}
	return nil
}

// startOthers starts what stands on the API server, all at a time.
func (p *plane) startOthers(ctx context.Context) error {
	parts := []struct {
		name   string
		wanted bool
		args   func() []string
	}{
		{kwokName, p.cfg.Nodes > 0, func() []string { return kwokArgs(p.dir) }},
		{schedulerName, p.cfg.Scheduler, func() []string { return schedulerArgs(p.dir) }},
		{controllersName, p.cfg.Controllers != "", func() []string { return controllersArgs(p.cfg, p.dir, p.pki) }},
	}
	for _, part := range parts {
		if !part.wanted {
			continue
		}
		child, err := p.launch(part.name, part.args())
		if err != nil {
			return err
		}
		p.others = append(p.others, child)
		p.watch(child)
		p.say("%s started", part.name)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return await(ctx, nil, "the namespace default", defaultsExist(p.cfg, p.client)) })
	if p.cfg.Nodes > 0 {
		g.Go(func() error {
			return p.step(fmt.Sprintf("%d nodes ready", p.cfg.Nodes), func() error {
				if err := createNodes(ctx, p.client, p.cfg.Nodes); err != nil {
					return err
				}
				return await(ctx, nil, "not every node", nodesReady(p.client, p.cfg.Nodes, !p.cfg.nodeLifecycleController()))
			})
		})
	}
	return g.Wait()
}

// launch starts a part; watch says what its end means.
func (p *plane) launch(name string, args []string) (*proc, error) {
	return startProc(spec{name: name, args: args, logDir: p.dir.file("logs"), lifeline: p.lifeline})
}

// watch stops the plane when a child ends that should not. Its goroutine ends
// with the child.
func (p *plane) watch(child *proc) {
	go func() {
		<-child.done
		if !child.stopping.Load() {
			p.fail(child.died())
		}
	}()
}

// step does something and says how long it took.
func (p *plane) step(what string, do func() error) error {
	begin := time.Now()
	if err := do(); err != nil {
		return err
	}
	p.say("%s (%.1f s)", what, time.Since(begin).Seconds())
	return nil
}

func (p *plane) say(format string, args ...any) {
	write(p.stderr, "devplane: "+format+"\n", args...)
}

const (
	// grace is how long a part may take to end by itself.
	grace = 3 * time.Second
	// graceless is for parts that keep nothing, or nothing that is to be kept.
	graceless = 500 * time.Millisecond
)

// stop ends the parts, those first that stand on others. A close of force ends
// its patience.
func (p *plane) stop(force <-chan struct{}) {
	patience := grace
	if p.dir.temp {
		patience = graceless
	}
	var g errgroup.Group
	for _, child := range p.others {
		child.stopping.Store(true)
	}
	for _, child := range p.others {
		g.Go(func() error {
			child.stop(graceless, force)
			return nil
		})
	}
	_ = g.Wait()
	if p.apiserver != nil {
		p.apiserver.stop(patience, force)
	}
	if p.etcd != nil {
		p.etcd.stop(patience, force)
	}
}
