package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/loopdock/loopdock/cmd/plane"
	"github.com/loopdock/loopdock/host"
)

func devCommand() *cli.Command {
	return &cli.Command{
		Name:  "dev",
		Usage: "start a control plane of its own and run controllers in it",
		Description: "The plane is a real kube-apiserver and etcd with fake nodes; it ends with the command.\n\n" +
			"Example:\n\n   loopdock dev --module replicaset.wasm --nodes 3\n\n" +
			"and in another terminal\n\n   kubectl --kubeconfig dev.kubeconfig get pods",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "nodes", Value: 3, Usage: "`N`: how many fake nodes there are"},
			&cli.StringFlag{Name: "kubeconfig", Value: "dev.kubeconfig", Usage: "`FILE` to write the plane's kubeconfig to"},
			&cli.StringFlag{Name: "controllers", Usage: "`LIST` of kube-controller-manager's controllers to run beside ours, such as \"*,-replicaset-controller\"; else none"},
			&cli.StringFlag{Name: "dir", Usage: "`DIR` that keeps the plane's data; else a temporary one"},
		}, hostFlags("127.0.0.1:0")...),
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			cfg, err := hostConfig(c)
			if err != nil {
				return err
			}
			if c.Int("nodes") < 0 {
				return fmt.Errorf("--nodes is %d (it is 0 or more)", c.Int("nodes"))
			}
			if err := checkKubeconfigTarget(c.String("kubeconfig")); err != nil {
				return err
			}
			return dev(c, cfg)
		},
	}
}

// dev starts the plane and runs the host until either ends.
func dev(c *cli.Context, cfg host.Config) error {
	said := &planeOutput{to: c.App.ErrWriter}
	p, err := plane.Start(c.Context, plane.Config{
		Dir: c.String("dir"), Kubeconfig: c.String("kubeconfig"), Nodes: c.Int("nodes"), Scheduler: c.Int("nodes") > 0,
		Controllers: c.String("controllers"), Stderr: said,
	})
	if err != nil {
		if c.Context.Err() != nil && errors.Is(err, context.Canceled) {
			return nil // interrupted before it was ready
		}
		return err
	}
	defer p.Stop()
	if cfg.REST, err = p.RESTConfig(); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "The control plane is ready, and ends with Ctrl-C. In another terminal:\n\n  export KUBECONFIG=%s\n\n", p.Kubeconfig())
	ctx, cancel := context.WithCancel(c.Context)
	defer cancel()
	go func() { // ends with ctx
		select {
		case <-p.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	err = runHost(ctx, cfg)
	select {
	case <-p.Done():
		return fmt.Errorf("the control plane ended by itself: %s (start it again)", said.heldBack())
	default:
		return err
	}
}
