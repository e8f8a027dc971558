package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

func buildCommand() *cli.Command {
	return &cli.Command{
		Name:      "build",
		Usage:     "build a guest written in Go to a .wasm file",
		ArgsUsage: "FOLDER",
		Description: "Builds the Go package in FOLDER with the standard Go toolchain.\n\n" +
			"Example:\n\n   loopdock build --output replicaset.wasm ./guests/replicaset",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FILE` to write; default: the folder's name with .wasm"},
			&cli.StringFlag{Name: "module-version", Usage: "set the package's variable `version` to VERSION"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return errors.New("build needs one argument, the guest's folder (loopdock build ./guests/replicaset)")
			}
			return build(c, c.Args().First())
		},
	}
}

func build(c *cli.Context, folder string) error {
	info, err := os.Stat(folder)
	if err != nil {
		return fileError("guest folder", folder, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is a file (build takes the folder of a guest's Go package)", folder)
	}
	abs, err := filepath.Abs(folder)
	if err != nil {
		return fmt.Errorf("cannot build %s: %w", folder, err)
	}
	out := c.String("output")
	if out == "" {
		out = filepath.Base(abs) + ".wasm"
	}
	if out, err = filepath.Abs(out); err != nil {
		return fmt.Errorf("cannot build %s: %w", folder, err)
	}
	ldflags := "-s -w"
	if v := c.String("module-version"); v != "" {
		ldflags += " -X main.version=" + v
	}
	// Written beside and renamed, so that a host which watches the file never
	// sees half of it.
	partial := out + ".partial"
	cmd := exec.CommandContext(c.Context, "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags="+ldflags, "-o", partial, ".") //nolint:gosec // the user's own build
	cmd.Dir = abs
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0")
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		_ = os.Remove(partial) // may not exist
		if errors.Is(err, exec.ErrNotFound) {
			return errors.New("the go command is not on PATH (install Go to build guests)")
		}
		fmt.Fprint(c.App.ErrWriter, output.String())
		return fmt.Errorf("cannot build %s: the Go compiler refused it (see above)", folder)
	}
	if err := os.Rename(partial, out); err != nil {
		return fmt.Errorf("cannot build %s: %w", folder, err)
	}
	size := int64(0)
	if info, err := os.Stat(out); err == nil {
		size = info.Size()
	}
	fmt.Fprintf(c.App.Writer, "%s  %.2f MB\n", strings.TrimPrefix(out, cwd()), float64(size)/1e6)
	return nil
}

// cwd is the working folder with a slash, for shorter paths in messages.
func cwd() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir + string(filepath.Separator)
}
