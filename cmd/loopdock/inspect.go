package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/sandbox"
	"github.com/urfave/cli/v2"
)

func inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "show what a module is: manifest, ABI version, imports, exports, size, what it wants to read and write",
		ArgsUsage: "FILE",
		Description: "The module is compiled and asked to describe itself; nothing else of it runs.\n\n" +
			"Example:\n\n   loopdock inspect replicaset.wasm",
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return errors.New("inspect needs one argument, the module's file (loopdock inspect replicaset.wasm)")
			}
			return inspect(c.Context, c.App.Writer, c.Args().First())
		},
	}
}

func inspect(ctx context.Context, w io.Writer, path string) error {
	wasm, err := os.ReadFile(path) //nolint:gosec // the file that the user names
	if err != nil {
		return fileError("module", path, err)
	}
	r, err := sandbox.New(ctx, sandbox.Config{})
	if err != nil {
		return err
	}
	m, err := r.Load(ctx, path, wasm)
	if err != nil {
		return errors.Join(err, r.Close(ctx))
	}
	show(w, m)
	return errors.Join(m.Close(ctx), r.Close(ctx))
}

func show(w io.Writer, m *sandbox.Module) {
	manifest := m.Manifest()
	fmt.Fprintf(w, "module    %s %s\n", manifest.Name, manifest.Version)
	fmt.Fprintf(w, "digest    sha256:%s\n", m.Digest())
	fmt.Fprintf(w, "size      %.2f MB\n", float64(m.Size())/1e6)
	fmt.Fprintf(w, "abi       version %d\n", abi.Version)
	if manifest.SDK != "" {
		fmt.Fprintf(w, "built by  %s\n", manifest.SDK)
	}
	if len(manifest.Features) > 0 {
		fmt.Fprintf(w, "features  %s\n", strings.Join(manifest.Features, ", "))
	}
	fmt.Fprintf(w, "imports   %s\n", strings.Join(m.Imports(), "\n          "))
	fmt.Fprintf(w, "exports   %s\n", strings.Join(m.Exports(), "\n          "))
	for i := range manifest.Controllers {
		showController(w, &manifest.Controllers[i])
	}
}

func showController(w io.Writer, c *abi.Controller) {
	fmt.Fprintf(w, "\ncontroller %s\n", c.Name)
	switch {
	case c.Primary != nil:
		fmt.Fprintf(w, "  reconciles  each %s%s\n", kindName(c.Primary.Kind), scope(c.Primary.Namespaces, c.Primary.Selector))
	case c.Virtual != nil:
		for i := range c.Virtual.Mappings {
			fmt.Fprintf(w, "  woken by    %s\n", kindName(c.Virtual.Mappings[i].Kind))
		}
	}
	for i := range c.Reads {
		r := &c.Reads[i]
		how := ""
		if r.Live {
			how = ", also past the cache"
		}
		if len(r.Fields) > 0 {
			names := make([]string, len(r.Fields))
			for i := range r.Fields {
				names[i] = r.Fields[i].Name
			}
			how += ": " + strings.Join(names, ", ")
		}
		fmt.Fprintf(w, "  reads       %s%s%s\n", kindName(r.Kind), scope(r.Namespaces, r.Selector), how)
	}
	for i := range c.Access {
		a := &c.Access[i]
		name := kindName(a.Kind)
		if a.Subresource != "" {
			name += "/" + a.Subresource
		}
		fmt.Fprintf(w, "  writes      %s%s: %s\n", name, scope(a.Namespaces, ""), strings.Join(a.Verbs, ", "))
	}
	for i := range c.Externals {
		fmt.Fprintf(w, "  calls       %s: %s\n", c.Externals[i].Provider, strings.Join(c.Externals[i].Operations, ", "))
	}
}

func kindName(k *abi.Kind) string { return k.APIVersion + " " + k.Kind }

func scope(namespaces []string, selector string) string {
	out := ""
	if len(namespaces) > 0 {
		out += " in " + strings.Join(namespaces, ", ")
	}
	if selector != "" {
		out += " with " + selector
	}
	return out
}
