package main

import (
	"fmt"
	"os"

	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/elect"
	"github.com/urfave/cli/v2"
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
			return runHost(c, cfg)
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

// runHost runs a host until the command is interrupted.
func runHost(c *cli.Context, cfg host.Config) error {
	h, err := host.New(c.Context, cfg)
	if err != nil {
		return err
	}
	if err := h.CheckConnection(c.Context); err != nil {
		return err
	}
	return h.Run(c.Context)
}
