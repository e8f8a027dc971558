package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/sandbox"
)

func inspectCommand() *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "show what a module is, and what it wants to read and write",
		ArgsUsage: "FILE",
		Description: "Shows manifest, ABI version, imports, exports and size. The module is compiled and asked to\ndescribe itself; nothing else of it runs.\n\n" +
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

// describeIn bounds how long a module may take to say what it is.
const describeIn = 10 * time.Second

func inspect(ctx context.Context, w io.Writer, path string) error {
	wasm, err := os.ReadFile(path) //nolint:gosec // the file that the user names
	if err != nil {
		return fileError("module", path, err)
	}
	r, err := sandbox.New(ctx, sandbox.Config{Limits: sandbox.Limits{CallTimeout: describeIn}})
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
	row := func(what string, words []string, separator string) {
		fmt.Fprintf(w, "%-9s %s\n", what, wrap(words, separator, 10))
	}
	row("module", []string{manifest.Name, manifest.Version}, "")
	row("file", []string{size(m.Size()), "sha256:" + m.Digest()}, ",")
	row("abi", []string{"version", strconv.Itoa(abi.Version)}, "")
	if manifest.SDK != "" {
		row("built by", []string{manifest.SDK}, "")
	}
	if len(manifest.Features) > 0 {
		row("features", manifest.Features, ",")
	}
	for i, group := range imports(m.Imports()) {
		if i == 0 {
			row("imports", group, "")
		} else {
			row("", group, "")
		}
	}
	if len(m.Imports()) == 0 {
		row("imports", []string{"none"}, "")
	}
	row("exports", m.Exports(), ",")
	for i := range manifest.Controllers {
		showController(w, &manifest.Controllers[i])
	}
}

// imports groups "module.name" by module, as words of a line each.
func imports(all []string) [][]string {
	var out [][]string
	last := ""
	for _, name := range slices.Sorted(slices.Values(all)) {
		module, function, _ := strings.Cut(name, ".")
		if module != last {
			out = append(out, []string{module + ":"})
			last = module
		} else {
			group := out[len(out)-1]
			group[len(group)-1] += ","
		}
		out[len(out)-1] = append(out[len(out)-1], function)
	}
	return out
}

// size writes a number of bytes for people.
func size[T ~int | ~int64](n T) string {
	switch {
	case n < 10_000:
		return fmt.Sprintf("%d bytes", n)
	case n < 1_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	default:
		return fmt.Sprintf("%.2f MB", float64(n)/1e6)
	}
}

func showController(w io.Writer, c *abi.Controller) {
	fmt.Fprintf(w, "\ncontroller %s\n", c.Name)
	row := func(what, kind string, details []string) {
		if len(details) > 0 {
			kind += ": " + wrap(details, ",", 16)
		}
		fmt.Fprintf(w, "  %-11s %s\n", what, kind)
	}
	if c.Primary != nil {
		row("reconciles", "each "+kindName(c.Primary.Kind)+scope(c.Primary.Namespaces, c.Primary.Selector), nil)
	}
	if c.Virtual != nil {
		for i := range c.Virtual.Mappings {
			row("woken by", kindName(c.Virtual.Mappings[i].Kind), nil)
		}
	}
	for i := range c.Reads {
		r := &c.Reads[i]
		kind := kindName(r.Kind) + scope(r.Namespaces, r.Selector)
		if r.Live {
			kind += ", also past the cache"
		}
		fields := make([]string, 0, len(r.Fields))
		for i := range r.Fields {
			fields = append(fields, r.Fields[i].Name)
		}
		row("reads", kind, fields)
	}
	for i := range c.Access {
		a := &c.Access[i]
		kind := kindName(a.Kind)
		if a.Subresource != "" {
			kind += "/" + a.Subresource
		}
		row("writes", kind+scope(a.Namespaces, ""), a.Verbs)
	}
	for i := range c.Externals {
		row("calls", c.Externals[i].Provider, c.Externals[i].Operations)
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
