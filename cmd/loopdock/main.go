// Command loopdock runs Kubernetes controllers that come as WebAssembly modules.
package main

import (
	"context"
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
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
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

func app(stdout, stderr io.Writer) *cli.App {
	return &cli.App{
		Name:  "loopdock",
		Usage: "run Kubernetes controllers that come as WebAssembly modules",
		Description: "Example: try a controller on a control plane of its own\n\n" +
			"   loopdock dev --module replicaset.wasm\n\n" +
			"loopdock COMMAND --help says more about a command, with an example.",
		Version:         version,
		HideVersion:     true,
		HideHelpCommand: true,
		// Paths may contain commas.
		DisableSliceFlagSeparator: true,
		Writer:                    stdout,
		ErrWriter:                 stderr,
		Commands:                  []*cli.Command{runCommand(), devCommand(), buildCommand(), inspectCommand(), versionCommand()},
		Action:                    noCommand,
		OnUsageError:              usageError,
		ExitErrHandler:            func(*cli.Context, error) {}, // run prints it
	}
}

// noCommand answers a line that names no command, and "loopdock help COMMAND".
func noCommand(c *cli.Context) error {
	name := c.Args().First()
	if name == "help" {
		if name = c.Args().Get(1); name != "" && c.App.Command(name) != nil {
			return cli.ShowCommandHelp(c, name)
		}
	}
	if name != "" {
		return fmt.Errorf("there is no command %q (loopdock --help lists them)", name)
	}
	return cli.ShowAppHelp(c)
}

// usageError says in our words what the flag package found wrong, and leaves its
// page of help out.
func usageError(c *cli.Context, err error, _ bool) error {
	name := c.App.Name
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != name {
		name += " " + c.Command.Name
	}
	text := err.Error()
	if flag, ok := strings.CutPrefix(text, "flag provided but not defined: -"); ok {
		text = "there is no flag " + dashed(flag)
	} else if flag, ok := strings.CutPrefix(text, "flag needs an argument: -"); ok {
		text = "the flag " + dashed(flag) + " needs a value"
	} else if rest, ok := strings.CutPrefix(text, "invalid value "); ok {
		value, rest, _ := strings.Cut(rest, " for flag -")
		flag, _, _ := strings.Cut(rest, ": ")
		text = fmt.Sprintf("%s can't be %s", dashed(flag), value)
	}
	return fmt.Errorf("%s (%s --help lists the flags)", text, name)
}

// dashed writes a flag's name as people do.
func dashed(flag string) string {
	flag = strings.TrimLeft(flag, "-")
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}

// noArguments refuses what is left over after the flags.
func noArguments(c *cli.Context) error {
	if c.Args().Present() {
		return fmt.Errorf("%s takes no argument, and %q is one (loopdock %s --help shows what it takes)", c.Command.Name, c.Args().First(), c.Command.Name)
	}
	return nil
}
