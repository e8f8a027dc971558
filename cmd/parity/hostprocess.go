package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/loopdock/loopdock/cmd/docking"
)

// startHost docks the guests, each controller as its native one's user, and returns
// when every one of them runs, and no other. Its log goes to the side's folder.
func (s *side) startHost(ctx context.Context, o *options, dir string, docked []*controller) error {
	cfg := docking.Config{Binary: filepath.Join(o.bin, "loopdock"), Kubeconfig: s.plane.Kubeconfig()}
	var natives []docking.Native
	for _, c := range docked {
		cfg.Modules = append(cfg.Modules, c.file(o.guests))
		natives = append(natives, c.natives...)
	}
	config, err := s.plane.RESTConfig()
	if err != nil {
		return err
	}
	var names []string
	if cfg.Args, names, err = docking.StandIn(dir, config, natives...); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "loopdock.log")) //nolint:gosec // in our own folder
	if err != nil {
		return err
	}
	s.log, cfg.Log = log, log
	if s.host, err = docking.Start(ctx, cfg); err == nil {
		err = s.host.Await(ctx, docking.Running(names...))
	}
	if err != nil {
		return fmt.Errorf("cannot dock the guests: %w (see %s)", err, log.Name())
	}
	return nil
}

// stopHost ends Loopdock, where it runs.
func (s *side) stopHost() error {
	var err error
	if s.host != nil {
		err = s.host.Stop()
	}
	if s.log != nil {
		err = errors.Join(err, s.log.Close())
	}
	return err
}
