package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/elect"
)

func runCommand() *cli.Command {
	flags := append(connectionFlags(), hostFlags("127.0.0.1:8080")...)
	flags = append(flags,
		&cli.BoolFlag{Name: "leader-elect", Usage: "reconcile only while holding a Lease, so that several hosts can stand by"},
		&cli.StringFlag{Name: "leader-elect-namespace", Value: "kube-system", Usage: "`NAMESPACE` of the Lease"},
		&cli.StringFlag{Name: "leader-elect-name", Value: "loopdock", Usage: "`NAME` of the Lease"},
	)
	return &cli.Command{
		Name:  "run",
		Usage: "run controllers against a cluster",
		Description: "Examples:\n\n" +
			"   loopdock run --module replicaset.wasm\n" +
			"   loopdock run --kubeconfig ~/.kube/config --module /etc/loopdock/modules --leader-elect",
		Flags:        flags,
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			cfg, err := hostConfig(c)
			if err != nil {
				return err
			}
			if cfg.REST, err = connection(c); err != nil {
				return err
			}
			if c.Bool("leader-elect") {
				if cfg.Election, err = election(c); err != nil {
					return err
				}
			}
			return runHost(c.Context, cfg)
		},
	}
}

func election(c *cli.Context) (*elect.Config, error) {
	name, err := os.Hostname()
	if err != nil {
		return nil, fmt.Errorf("cannot tell this host's name for the lease: %w", err)
	}
	return &elect.Config{
		Namespace: c.String("leader-elect-namespace"), Name: c.String("leader-elect-name"),
		Identity: fmt.Sprintf("%s_%d", name, os.Getpid()),
	}, nil
}

// runHost runs a host until ctx ends, which is no error.
func runHost(ctx context.Context, cfg host.Config) error {
	h, err := host.New(ctx, cfg)
	if err != nil {
		return remedied(err)
	}
	if err = h.CheckConnection(ctx); err == nil {
		err = remedied(h.Run(ctx))
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // interrupted before it was ready
	}
	return err
}
