// Command devplane runs a Kubernetes control plane for development, tests and
// benchmarks: etcd, kube-apiserver and, where asked, kwok's fake nodes,
// kube-scheduler and kube-controller-manager. All of them are in this one
// program, which starts itself once for each; everything listens on 127.0.0.1
// or on Unix sockets, and nothing outlives the program.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/urfave/cli/v2"
)

const description = `Runs etcd, kube-apiserver and what else is asked for, until it gets SIGINT or
SIGTERM. When everything is ready it prints one line on stdout:

   READY kubeconfig=<path> server=<url>

SIGUSR1 kills the API server ("DOWN apiserver"), SIGUSR2 starts it again on the
same port with the same data ("UP apiserver").

Example: three fake nodes, a scheduler and all native controllers but one

   devplane --nodes 3 --scheduler --controllers '*,-replicaset-controller' --kubeconfig kc.yaml
   KUBECONFIG=kc.yaml kubectl get nodes`

func main() {
	if len(os.Args) > 1 && os.Args[1] == childCommand {
		os.Exit(runChild(os.Args[2:]))
	}
	os.Exit(run(os.Args, os.Stdout, os.Stderr))
}

// run is the parent: it reads the flags, runs the plane and says how it ended.
func run(args []string, stdout, stderr io.Writer) int {
	// A caller that went away must not end the orderly stop with SIGPIPE:
	// once notified, writes fail with EPIPE instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	err := newApp(stdout, func(c *cli.Context) error {
		cfg, err := configFrom(c)
		if err != nil {
			return err
		}
		return Run(c.Context, cfg, stdout, stderr)
	}).RunContext(context.Background(), args)
	if err != nil {
		write(stderr, "devplane: %v\n", err)
		if died, ok := errors.AsType[*childDiedError](err); ok && died.Tail != "" {
			write(stderr, "last lines of its log:\n%s\n", died.Tail)
		}
		return 1
	}
	return 0
}

// write prints to a stream whose reader may be gone, which is no reason to stop.
func write(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

func newApp(stdout io.Writer, action cli.ActionFunc) *cli.App {
	return &cli.App{
		Name:        "devplane",
		Usage:       "a Kubernetes control plane in one program, for development and tests",
		UsageText:   "devplane [options]",
		Description: description,
		HideVersion: true,
		// Values such as feature gates contain commas.
		DisableSliceFlagSeparator: true,
		HideHelpCommand:           true,
		Writer:                    stdout,
		ErrWriter:                 io.Discard,
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              func(_ *cli.Context, err error, _ bool) error { return err },
		Action:                    action,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "dir", Usage: "keep data, logs and certificates in `DIR` (default: a temporary directory, removed at exit)"},
			&cli.StringFlag{Name: "kubeconfig", Usage: "write the kubeconfig to `FILE` (default: DIR/kubeconfig)"},
			&cli.IntFlag{Name: "port", Usage: "listen on `PORT` of 127.0.0.1 (default: a free port)"},
			&cli.IntFlag{Name: "nodes", Usage: "run kwok with `N` fake nodes (0: no kwok)"},
			&cli.BoolFlag{Name: "scheduler", Usage: "run kube-scheduler"},
			&cli.StringFlag{Name: "controllers", Usage: "run kube-controller-manager with this `LIST` of controllers, such as '*,-job-controller'"},
			&cli.StringSliceFlag{Name: "apiserver-arg", Usage: "add or override the kube-apiserver flag `NAME=VALUE` (may be repeated)"},
			&cli.StringSliceFlag{Name: "controller-arg", Usage: "add or override the kube-controller-manager flag `NAME=VALUE` (may be repeated)"},
			&cli.StringFlag{Name: "audit-log", Usage: "write an audit log at level Metadata to `FILE`"},
			&cli.BoolFlag{Name: "service-account-admission", Usage: "admit pods only with a service account that exists (default: if the service account controller runs)"},
			&cli.IntFlag{Name: "lifeline-fd", Usage: "stop when the inherited file descriptor `N` reaches its end"},
		},
	}
}
