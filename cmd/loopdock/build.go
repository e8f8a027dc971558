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
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "`FILE` to write; else the folder's name with .wasm, here"},
			&cli.StringFlag{Name: "module-version", Usage: "set the package's variable version to `VERSION`"},
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
	if err := checkOutput(out); err != nil {
		return err
	}
	ldflags := "-s -w"
	if v := c.String("module-version"); v != "" {
		if strings.ContainsAny(v, " \t\n'\"") {
			return fmt.Errorf("--module-version is %q (it has neither spaces nor quotes)", v)
		}
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
		if c.Context.Err() != nil {
			return fmt.Errorf("cannot build %s: interrupted", folder)
		}
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("cannot build %s: the go command is not on PATH (install Go, and see that its bin folder is on PATH)", folder)
		}
		fmt.Fprint(c.App.ErrWriter, output.String())
		return fmt.Errorf("cannot build %s: go build refused it (see above)", folder)
	}
	if err := os.Rename(partial, out); err != nil {
		return fmt.Errorf("cannot build %s: %w", folder, err)
	}
	shown := strings.TrimPrefix(out, cwd())
	if info, err := os.Stat(out); err == nil {
		shown += "  " + size(info.Size())
	}
	fmt.Fprintln(c.App.Writer, shown)
	return nil
}

// checkOutput sees that a file can be written, before the compiler runs.
func checkOutput(path string) error {
	dir := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("--output %s is a folder (name a file)", path)
	}
	if info, err := os.Stat(dir); err != nil {
		return fileError("output folder", dir, err)
	} else if !info.IsDir() {
		return fmt.Errorf("output folder %s is a file (check --output)", dir)
	}
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
