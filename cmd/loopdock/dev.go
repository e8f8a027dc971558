package main

import (
	"fmt"

	"github.com/loopdock/loopdock/cmd/plane"
	"github.com/urfave/cli/v2"
)

func devCommand() *cli.Command {
	return &cli.Command{
		Name:  "dev",
		Usage: "start a control plane of its own and run controllers in it",
		Description: "The plane is a real kube-apiserver and etcd with fake nodes; it ends with the command.\n\n" +
			"Example:\n\n   loopdock dev --module replicaset.wasm --nodes 3\n   kubectl --kubeconfig ./dev.kubeconfig get pods",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "nodes", Value: 3, Usage: "`N` fake nodes"},
			&cli.StringFlag{Name: "kubeconfig", Value: "dev.kubeconfig", Usage: "`FILE` to write the plane's kubeconfig to"},
			&cli.StringFlag{Name: "controllers", Usage: "`LIST` of kube-controller-manager's controllers to run beside ours, such as \"*,-replicaset-controller\""},
			&cli.StringFlag{Name: "dir", Usage: "`DIR` that keeps the plane's data; default: a temporary one"},
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
			p, err := plane.Start(c.Context, plane.Config{
				Dir: c.String("dir"), Kubeconfig: c.String("kubeconfig"), Nodes: c.Int("nodes"), Scheduler: c.Int("nodes") > 0,
				Controllers: c.String("controllers"), Stderr: c.App.ErrWriter,
			})
			if err != nil {
				return err
			}
			defer p.Stop()
			fmt.Fprintf(c.App.Writer, "The control plane is ready. In another terminal:\n\n  export KUBECONFIG=%s\n\n", p.Kubeconfig())
			if cfg.REST, err = p.RESTConfig(); err != nil {
				return err
			}
			return runHost(c, cfg)
		},
	}
}
