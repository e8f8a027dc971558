package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

// Config says what a plane consists of.
type Config struct {
	Dir        string // data, logs and certificates; empty for a temporary directory
	Kubeconfig string // where to write the kubeconfig; empty for Dir/kubeconfig
	AuditLog   string // empty for no audit log
	Port       int    // of the API server; 0 for a free one

	Nodes       int    // fake nodes
	Scheduler   bool   // run kube-scheduler
	Controllers string // kube-controller-manager's --controllers; empty for none

	// ServiceAccountAdmission switches the ServiceAccount admission plugin; nil
	// leaves it on exactly if the service account controller runs.
	ServiceAccountAdmission *bool

	APIServerArgs  []string // NAME=VALUE
	ControllerArgs []string // NAME=VALUE

	LifelineFD int // stop at the end of this inherited descriptor; 0 for none
}

func configFrom(c *cli.Context) (Config, error) {
	cfg := Config{
		Dir:            c.String("dir"),
		Kubeconfig:     c.String("kubeconfig"),
		AuditLog:       c.String("audit-log"),
		Port:           c.Int("port"),
		Nodes:          c.Int("nodes"),
		Scheduler:      c.Bool("scheduler"),
		Controllers:    c.String("controllers"),
		APIServerArgs:  c.StringSlice("apiserver-arg"),
		ControllerArgs: c.StringSlice("controller-arg"),
		LifelineFD:     c.Int("lifeline-fd"),
	}
	if c.IsSet("service-account-admission") {
		on := c.Bool("service-account-admission")
		cfg.ServiceAccountAdmission = &on
	}
	if c.NArg() > 0 {
		return cfg, fmt.Errorf("unexpected argument %q (see --help)", c.Args().First())
	}
	return cfg, cfg.complete()
}

// complete checks the configuration and makes its paths absolute.
func (c *Config) complete() error {
	if c.Port < 0 || c.Port > 65535 {
		return fmt.Errorf("--port %d is not a port", c.Port)
	}
	if c.Nodes < 0 || c.Nodes > maxNodes {
		return fmt.Errorf("--nodes %d is not between 0 and %d", c.Nodes, maxNodes)
	}
	if c.LifelineFD != 0 && c.LifelineFD < 3 {
		return fmt.Errorf("--lifeline-fd %d is not an inherited descriptor", c.LifelineFD)
	}
	if len(c.ControllerArgs) > 0 && c.Controllers == "" {
		return errors.New("--controller-arg needs --controllers")
	}
	for _, arg := range c.APIServerArgs {
		if _, _, err := splitArg(arg); err != nil {
			return fmt.Errorf("--apiserver-arg: %w", err)
		}
	}
	for _, arg := range c.ControllerArgs {
		if _, _, err := splitArg(arg); err != nil {
			return fmt.Errorf("--controller-arg: %w", err)
		}
	}
	for _, path := range []*string{&c.Dir, &c.Kubeconfig, &c.AuditLog} {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return fmt.Errorf("cannot find the path %s: %w", *path, err)
		}
		*path = abs
	}
	return nil
}

// controllerRuns tells if kube-controller-manager's own rules switch on a
// controller under one of its names: an exact name first, then "*".
func controllerRuns(list string, names ...string) bool {
	star := false
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if item == "*" {
			star = true
		}
		for _, name := range names {
			switch item {
			case name:
				return true
			case "-" + name:
				return false
			}
		}
	}
	return star
}

func (c *Config) serviceAccountController() bool {
	return controllerRuns(c.Controllers, "serviceaccount-controller", "serviceaccount")
}

func (c *Config) nodeLifecycleController() bool {
	return controllerRuns(c.Controllers, "node-lifecycle-controller", "nodelifecycle")
}

func (c *Config) serviceAccountAdmission() bool {
	if c.ServiceAccountAdmission != nil {
		return *c.ServiceAccountAdmission
	}
	return c.serviceAccountController()
}
