package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/loopdock/loopdock/host"
	"github.com/urfave/cli/v2"
)

// hostFlags are the flags of run and dev.
func hostFlags(address string) []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "module", Aliases: []string{"m"}, Usage: "`FILE` to dock, or a folder of .wasm files; may be repeated. Files are watched: replace one by an atomic rename to swap it"},
		&cli.StringSliceFlag{Name: "workers", Usage: "`CONTROLLER=N`: reconcile so many keys at once; may be repeated"},
		&cli.StringSliceFlag{Name: "config", Usage: "`CONTROLLER=FILE`: JSON handed to the controller; may be repeated"},
		&cli.StringSliceFlag{Name: "user", Usage: "`CONTROLLER=USER`: act as this user, by impersonation; may be repeated"},
		&cli.StringFlag{Name: "metrics-address", Value: address, Usage: "`HOST:PORT` of /metrics, /healthz, /readyz and /status; empty serves nothing"},
		&cli.BoolFlag{Name: "pprof", Usage: "serve /debug/pprof there as well"},
		&cli.StringFlag{Name: "cache-dir", Usage: "`DIR` for compiled modules; default: loopdock in the user's cache folder"},
		&cli.Int64Flag{Name: "memory-mib", Usage: "most linear memory of a guest's instance, in `MIB`; default 256"},
		&cli.DurationFlag{Name: "call-timeout", Usage: "end a reconcile call that runs longer; makes guests several times slower"},
		&cli.StringFlag{Name: "log-level", Value: "info", Usage: "debug, info, warn or error"},
		&cli.StringFlag{Name: "log-format", Value: "text", Usage: "text or json"},
	}
}

// hostConfig reads the flags above. REST is the caller's to set.
func hostConfig(c *cli.Context) (host.Config, error) {
	cfg := host.Config{
		Modules: c.StringSlice("module"), Address: c.String("metrics-address"), Pprof: c.Bool("pprof"),
		MemoryBytes: c.Int64("memory-mib") << 20, CallTimeout: c.Duration("call-timeout"), CacheDir: c.String("cache-dir"),
	}
	if len(cfg.Modules) == 0 {
		return cfg, errors.New("no module is given (name a .wasm file or a folder of them by --module)")
	}
	for _, path := range cfg.Modules {
		if _, err := os.Stat(path); err != nil {
			return cfg, fileError("module", path, err)
		}
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
	cfg.Controllers, err = controllers(c)
	return cfg, err
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
	set := func(flag string, f func(*host.ControllerConfig, string) error) error {
		for _, pair := range c.StringSlice(flag) {
			name, value, ok := strings.Cut(pair, "=")
			if !ok || name == "" || value == "" {
				return fmt.Errorf("--%s is %q (it has the form CONTROLLER=VALUE)", flag, pair)
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
		set("workers", func(cc *host.ControllerConfig, v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 1 {
				return errors.New("not a number of workers (1 or more)")
			}
			cc.Workers = n
			return nil
		}),
		set("user", func(cc *host.ControllerConfig, v string) error {
			cc.User = v
			return nil
		}),
		set("config", func(cc *host.ControllerConfig, v string) error {
			b, err := os.ReadFile(v) //nolint:gosec // the operator names the file
			if err != nil {
				return fileError("configuration", v, err)
			}
			if !json.Valid(b) {
				return errors.New("the file is not JSON")
			}
			cc.Config = b
			return nil
		}),
	)
}
