// Command loopdock runs Kubernetes controllers that come as WebAssembly modules.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"
	"k8s.io/klog/v2"
)

func main() {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard) // client-go's own lines: what matters comes as errors
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args, os.Stdout, os.Stderr))
}

// run runs the command line and gives the exit code: 0, or 1 after one line on
// stderr that says what is wrong.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if err := app(stdout, stderr).RunContext(ctx, args); err != nil {
		fmt.Fprintln(stderr, "loopdock: "+line(err))
		return 1
	}
	return 0
}

// line turns an error and its hint into one line.
func line(err error) string {
	text := strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	if h := interface{ Hint() string }(nil); errors.As(err, &h) && h.Hint() != "" {
		text += " (" + h.Hint() + ")"
	}
	return text
}

func app(stdout, stderr io.Writer) *cli.App {
	return &cli.App{
		Name:  "loopdock",
		Usage: "run Kubernetes controllers that come as WebAssembly modules",
		Description: "Example: try a controller on a control plane of its own\n\n" +
			"   loopdock dev --module replicaset.wasm",
		Version:         version,
		HideVersion:     true,
		HideHelpCommand: true,
		Writer:          stdout,
		ErrWriter:       stderr,
		Commands:        []*cli.Command{runCommand(), devCommand(), buildCommand(), inspectCommand(), versionCommand()},
		CommandNotFound: func(*cli.Context, string) {},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return fmt.Errorf("there is no command %q (loopdock --help lists them)", c.Args().First())
			}
			return cli.ShowAppHelp(c)
		},
		OnUsageError:   usageError,
		ExitErrHandler: func(*cli.Context, error) {}, // run prints it
	}
}

// usageError keeps the flag package's words and leaves its page of help out.
func usageError(c *cli.Context, err error, _ bool) error {
	name := c.App.Name
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != name {
		name += " " + c.Command.Name
	}
	return fmt.Errorf("%w (%s --help lists the flags)", err, name)
}

// noArguments refuses what is left over after the flags.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return fmt.Errorf("%s takes no argument %q (modules are given by --module)", c.Command.Name, c.Args().First())
	}
	return nil
}
