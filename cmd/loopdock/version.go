package main

import (
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/loopdock/loopdock/abi"
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
			show := func(what, version string) { fmt.Fprintf(c.App.Writer, "%-10s %s\n", what, version) }
			show("loopdock", version)
			show("abi", strconv.Itoa(abi.Version))
			show("go", strings.TrimPrefix(runtime.Version(), "go"))
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, dep := range info.Deps {
					switch dep.Path {
					case "github.com/tetratelabs/wazero", "k8s.io/client-go":
						show(path.Base(dep.Path), dep.Version)
					}
				}
			}
			return nil
		},
	}
}
