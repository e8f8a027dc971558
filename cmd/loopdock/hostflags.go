package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/loopdock/loopdock/host"
)

// hostFlags are the flags of run and dev.
func hostFlags(address string) []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "module", Aliases: []string{"m"}, Usage: "`FILE` to dock, or a folder of .wasm files; may be repeated. Files are watched: replace one by an atomic rename to swap it"},
		&cli.StringSliceFlag{Name: "only", Usage: "run only this `CONTROLLER` of the modules; may be repeated"},
		&cli.StringSliceFlag{Name: "workers", Usage: "`CONTROLLER=N`: reconcile N keys of the controller at once; may be repeated"},
		&cli.StringSliceFlag{Name: "config", Usage: "`CONTROLLER=FILE`: hand the controller this JSON; may be repeated"},
		&cli.StringSliceFlag{Name: "user", Usage: "`CONTROLLER=USER`: have it act as the user, by impersonation; may be repeated"},
		&cli.StringFlag{Name: "metrics-address", Value: address, Usage: "`HOST:PORT` of /metrics, /healthz, /readyz and /status; port 0 takes a free one, \"\" serves nothing"},
		&cli.BoolFlag{Name: "pprof", Usage: "serve /debug/pprof there as well"},
		&cli.StringFlag{Name: "cache-dir", Usage: "`DIR` for compiled modules; else loopdock in the user's cache folder"},
		&cli.Int64Flag{Name: "memory-mib", Value: 256, Usage: "`MIB`: most linear memory of a guest's instance"},
		&cli.Int64Flag{Name: "fuel", Value: 40_000, Usage: "`MILLIONS` of units that a reconcile call may spend; a guest spends about 4,000 in a second"},
		&cli.DurationFlag{Name: "call-timeout", Usage: "end a reconcile call that runs longer than `TIME`, such as 10s"},
		&cli.StringFlag{Name: "log-level", Value: "info", Usage: "`LEVEL`: debug, info, warn or error"},
		&cli.StringFlag{Name: "log-format", Value: "text", Usage: "`FORMAT`: text or json"},
	}
}

const (
	million = 1_000_000
	// mostFuel is more than a guest spends in a day.
	mostFuel = 1_000_000_000
)

// hostConfig reads the flags above. REST is the caller's to set.
func hostConfig(c *cli.Context) (host.Config, error) {
	cfg := host.Config{
		Modules: c.StringSlice("module"), Only: c.StringSlice("only"), Address: c.String("metrics-address"), Pprof: c.Bool("pprof"),
		MemoryBytes: c.Int64("memory-mib") << 20, Fuel: c.Int64("fuel") * million, CallTimeout: c.Duration("call-timeout"), CacheDir: c.String("cache-dir"),
	}
	if err := checkHostFlags(c); err != nil {
		return cfg, err
	}
	if cfg.CacheDir == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return cfg, fmt.Errorf("no folder for compiled modules: %w (name one by --cache-dir)", err)
		}
		cfg.CacheDir = filepath.Join(dir, "loopdock")
	}
	var err error
	if cfg.Logger, err = logger(c); err != nil {
		return cfg, err
	}
	if cfg.Controllers, err = controllers(c); err != nil {
		return cfg, err
	}
	return cfg, checkModules(cfg.Modules, cfg.Logger)
}

func checkHostFlags(c *cli.Context) error {
	if n := c.Int64("memory-mib"); n < 1 || n > 4096 {
		return fmt.Errorf("--memory-mib is %d (it is between 1 and 4096)", n)
	}
	if n := c.Int64("fuel"); n < 1 || n > mostFuel {
		return fmt.Errorf("--fuel is %d (it is between 1 and %d)", n, int64(mostFuel))
	}
	if d := c.Duration("call-timeout"); d < 0 {
		return fmt.Errorf("--call-timeout is %s (it is 0 or more)", d)
	}
	address := c.String("metrics-address")
	if address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--metrics-address is %q (it has the form HOST:PORT)", address)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("--metrics-address is %q, whose port is not between 0 and 65535 (port 0 takes a free one)", address)
	}
	return nil
}

// checkModules sees that each path can be read, before anything is started.
func checkModules(paths []string, log *slog.Logger) error {
	if len(paths) == 0 {
		return errors.New("no module is given (name a .wasm file or a folder of them by --module)")
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return fileError("module", path, err)
		}
		if !info.IsDir() {
			if !info.Mode().IsRegular() {
				return fmt.Errorf("module %s is neither a file nor a folder (name a .wasm file or a folder of them)", path)
			}
			continue
		}
		files, err := os.ReadDir(path)
		if err != nil {
			return fileError("module folder", path, err)
		}
		if !slices.ContainsFunc(files, func(f fs.DirEntry) bool { return strings.HasSuffix(f.Name(), ".wasm") }) {
			log.Warn("no .wasm file is in the folder yet; the first to appear is docked", "folder", path)
		}
	}
	return nil
}

func logger(c *cli.Context) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log-level"))); err != nil {
		return nil, fmt.Errorf("--log-level is %q (it is one of debug, info, warn, error)", c.String("log-level"))
	}
	opts := &slog.HandlerOptions{Level: level}
	switch c.String("log-format") {
	case "text":
		opts.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				a.Value = slog.StringValue(a.Value.Time().Format(time.TimeOnly + ".000"))
			}
			return a
		}
		return slog.New(slog.NewTextHandler(c.App.ErrWriter, opts)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(c.App.ErrWriter, opts)), nil
	default:
		return nil, fmt.Errorf("--log-format is %q (it is text or json)", c.String("log-format"))
	}
}

// controllers reads the flags of the form CONTROLLER=VALUE.
func controllers(c *cli.Context) (map[string]host.ControllerConfig, error) {
	out := map[string]host.ControllerConfig{}
	set := func(flag, form string, f func(*host.ControllerConfig, string) error) error {
		for _, pair := range c.StringSlice(flag) {
			name, value, ok := strings.Cut(pair, "=")
			if !ok || name == "" || value == "" {
				return fmt.Errorf("--%s is %q (it has the form %s)", flag, pair, form)
			}
			cc := out[name]
			if err := f(&cc, value); err != nil {
				return fmt.Errorf("--%s %s: %w", flag, pair, err)
			}
			out[name] = cc
		}
		return nil
	}
	return out, errors.Join(
		set("workers", "CONTROLLER=N", func(cc *host.ControllerConfig, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return fmt.Errorf("%q is no number of workers (1 or more)", v)
			}
			cc.Workers = n
			return nil
		}),
		set("user", "CONTROLLER=USER", func(cc *host.ControllerConfig, v string) error {
			cc.User = v
			return nil
		}),
		set("config", "CONTROLLER=FILE", func(cc *host.ControllerConfig, v string) error {
			b, err := os.ReadFile(v) //nolint:gosec // the operator names the file
			if err != nil {
				return fileError("configuration", v, err)
			}
			if !json.Valid(b) {
				return errors.New("the file is not JSON (its content is handed to the controller as it is)")
			}
			cc.Config = b
			return nil
		}),
	)
}
