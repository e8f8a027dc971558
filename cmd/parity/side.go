package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/loopdock/loopdock/cmd/docking"
	"github.com/loopdock/loopdock/cmd/plane"
)

// fakeNodes is how many of kwok's nodes each plane has.
const fakeNodes = 3

// startIn bounds the start of a side on a busy machine.
const startIn = 5 * time.Minute

// A side is a plane with one of the two at work, and what is known of it.
type side struct {
	name  string // ours or peer
	plane *plane.Plane
	host  *docking.Host // nil on the peer's
	log   *os.File      // its log

	dynamic   dynamic.Interface
	discovery discovery.DiscoveryInterface
	audit     *audit
	rootCA    string

	cancel  context.CancelFunc
	running sync.WaitGroup // what follows the audit log
	lost    chan error     // why it can't be followed any more
}

// startSide starts a plane without the controllers that are docked instead, if
// any, and then Loopdock with those.
func startSide(ctx context.Context, o *options, name, dir string, docked []*controller, progress io.Writer) (*side, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	policy, log := filepath.Join(dir, "audit-policy.yaml"), filepath.Join(dir, "audit.log")
	if err := os.WriteFile(policy, []byte(auditPolicy), 0o600); err != nil {
		return nil, err
	}
	ctx, cancelStart := context.WithTimeout(ctx, startIn)
	defer cancelStart()
	admission := true
	p, err := plane.Start(ctx, plane.Config{
		Binary: filepath.Join(o.bin, "devplane"), Dir: filepath.Join(dir, "plane"), Nodes: fakeNodes,
		Controllers: without(docked), ServiceAccountAdmission: &admission, AuditLog: log,
		APIServerArgs: []string{"audit-policy-file=" + policy},
		Stderr:        &docking.Lines{To: progress, Before: "  " + name + " "},
	})
	if err != nil {
		return nil, err
	}
	s := &side{name: name, plane: p, audit: newAudit(), lost: make(chan error, 1)}
	if err := s.connect(); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	follow, cancel := context.WithCancel(context.WithoutCancel(ctx))
	s.cancel = cancel
	s.running.Go(func() { // stop waits
		if err := s.audit.follow(follow, log); err != nil {
			s.lost <- err
		}
	})
	if len(docked) > 0 {
		if err := s.startHost(ctx, o, dir, docked); err != nil {
			return nil, errors.Join(err, s.stop())
		}
	}
	return s, nil
}

// without is kube-controller-manager's list of controllers without the docked ones.
func without(docked []*controller) string {
	list := []string{"*"}
	for _, c := range docked {
		for i := range c.natives {
			list = append(list, "-"+c.natives[i].Name)
		}
	}
	return strings.Join(list, ",")
}

func (s *side) connect() error {
	config, err := s.plane.RESTConfig()
	if err != nil {
		return err
	}
	config.UserAgent = driverAgent
	config.WarningHandlerWithContext = rest.NoWarnings{} // Endpoints are deprecated, and compared all the same
	if s.dynamic, err = dynamic.NewForConfig(config); err != nil {
		return err
	}
	if s.discovery, err = discovery.NewDiscoveryClientForConfig(config); err != nil {
		return err
	}
	if err := rest.LoadTLSFiles(config); err != nil {
		return err
	}
	s.rootCA = string(config.CAData)
	return nil
}

// stop ends all of it and returns when it has ended.
func (s *side) stop() error {
	err := s.stopHost()
	if s.cancel != nil {
		s.cancel()
	}
	s.running.Wait()
	s.plane.Stop()
	return err
}

// ended tells why a side can't go on, nil while it can.
func (s *side) ended() error {
	select {
	case err := <-s.lost:
		return err
	case <-s.plane.Done():
		return fmt.Errorf("the plane of %s has ended", s.name)
	default:
	}
	if s.host != nil {
		return s.host.Err()
	}
	return nil
}
