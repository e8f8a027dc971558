package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/loopdock/loopdock/abi"
	"github.com/urfave/cli/v2"
)

// version is set when a release is built.
var version = "dev"

func versionCommand() *cli.Command {
	return &cli.Command{
		Name:         "version",
		Usage:        "print the versions of loopdock, of its ABI and of what it is built with",
		Description:  "Example:\n\n   loopdock version",
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			fmt.Fprintf(c.App.Writer, "loopdock %s\nabi %d\ngo %s\n", version, abi.Version, runtime.Version())
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, dep := range info.Deps {
					switch dep.Path {
					case "github.com/tetratelabs/wazero", "k8s.io/client-go":
						fmt.Fprintf(c.App.Writer, "%s %s\n", dep.Path, dep.Version)
					}
				}
			}
			return nil
		},
	}
}
