package host

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/host/policy"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/sandbox"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
)

// versions makes a version of each of a module's controllers that are run. The
// last one to close closes the module.
func (h *Host) versions(ctx context.Context, m *sandbox.Module) ([]*loop.Version, error) {
	var out []*loop.Version
	var open atomic.Int32
	ctx = context.WithoutCancel(ctx) // the module outlives its docking
	for i := range m.Manifest().Controllers {
		if !h.runs(m.Manifest().Controllers[i].Name) {
			continue
		}
		v, err := h.version(m, i)
		if err != nil {
			for _, v := range out {
				v.Watches.Release()
			}
			return nil, err
		}
		v.Close = sync.OnceFunc(func() {
			v.Watches.Release()
			if open.Add(-1) > 0 {
				return
			}
			if err := m.Close(ctx); err != nil {
				h.cfg.Logger.Warn("cannot close a module", "module", m.Manifest().Name, "err", err.Error())
			}
		})
		open.Add(1)
		out = append(out, v)
	}
	return out, nil
}

// version wires one controller of a module to its reads and writes.
func (h *Host) version(m *sandbox.Module, i int) (*loop.Version, error) {
	c := &m.Manifest().Controllers[i]
	cfg := h.cfg.Controllers[c.Name]
	conn, client, err := h.as(cfg.User)
	if err != nil {
		return nil, err
	}
	live, err := informercache.NewRawClient(conn, client)
	if err != nil {
		return nil, fmt.Errorf("cannot dock controller %s: %w", c.Name, err)
	}
	grant, missing := policy.Intersect(c, nil)
	if len(missing) > 0 {
		return nil, fmt.Errorf("cannot dock controller %s: %s", c.Name, missing[0])
	}
	w, err := h.writer(c, cfg, conn, grant)
	if err != nil {
		return nil, err
	}
	pool := m.NewPool(sandbox.PoolConfig{Controller: c.Name, Instances: h.workers(c)})
	watches := reads.Open(h.cache, h.served, c)
	return &loop.Version{
		Manifest: c, Index: uint32(i), Module: m.Manifest().Name, Release: m.Manifest().Version, Digest: m.Digest(), //nolint:gosec // a module has few controllers
		Config: cfg.Config, Guest: pool, Watches: watches, Writer: w,
		Reads: &reads.Config{
			Watches: watches, Grant: grant, Transcoder: h.transcoder, Live: live, Mapper: h.mapper, Discovery: h.served,
			Memo: h.memo(c.Name), Count: h.count(c.Name),
		},
	}, nil
}

// writer makes what performs a controller's actions.
func (h *Host) writer(c *abi.Controller, cfg ControllerConfig, conn *rest.Config, grant *policy.Grant) (*writer.Writer, error) {
	out := writer.Config{
		Controller: c.Name, REST: conn, Mapper: h.mapper, Grant: grant, Clock: h.cfg.Clock, Registerer: h.cfg.Registry,
		Logger:   h.cfg.Logger.With("controller", c.Name),
		Recorder: h.recorder.NewRecorder(scheme.Scheme, corev1.EventSource{Component: c.Name}),
	}
	if h.elector != nil {
		out.Fence = h.elector.Fence()
	}
	out.Limiter = h.cfg.REST.RateLimiter
	if n := cfg.WritesPerSecond; n > 0 {
		out.Limiter = flowcontrol.NewTokenBucketRateLimiter(n, max(1, int(2*n)))
	}
	return writer.New(out)
}

// as gives the connection under a user's identity; an empty one is the host's.
func (h *Host) as(user string) (*rest.Config, *http.Client, error) {
	if user == "" {
		return h.cfg.REST, h.client, nil
	}
	conn := rest.CopyConfig(h.cfg.REST)
	conn.Impersonate = rest.ImpersonationConfig{UserName: user}
	client, err := rest.HTTPClientFor(conn)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot act as %s: %w", user, err)
	}
	return conn, client, nil
}

// memo reads another key's memo of a controller.
func (h *Host) memo(controller string) func(*abi.Key) []byte {
	return func(k *abi.Key) []byte {
		if d := h.controller(controller); d != nil {
			return d.loop.Memo(k)
		}
		return nil
	}
}

// count counts a controller's queries.
func (h *Host) count(controller string) func(abi.QueryType, bool, int) {
	return func(t abi.QueryType, live bool, n int) {
		if d := h.controller(controller); d != nil {
			d.loop.CountRead(t, live, n)
		}
	}
}
