package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func connectionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kubeconfig", Usage: "`FILE` that says how to reach the API server; default: $KUBECONFIG, ~/.kube/config, or the pod's service account"},
		&cli.StringFlag{Name: "context", Usage: "`NAME` of the kubeconfig's context to use"},
		&cli.Float64Flag{Name: "qps", Usage: "most requests per second of the whole host; 0 leaves it to the API server's priority and fairness"},
	}
}

// connection reads the flags above.
func connection(c *cli.Context) (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	if path := c.String("kubeconfig"); path != "" {
		if _, err := os.Stat(path); err != nil {
			return nil, fileError("kubeconfig", path, err)
		}
		rules.ExplicitPath = path
	}
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.String("context")}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	switch {
	case clientcmd.IsEmptyConfig(err), errors.Is(err, rest.ErrNotInCluster):
		return nil, errors.New("no kubeconfig found (give one by --kubeconfig or $KUBECONFIG, or run inside a pod)")
	case err != nil:
		return nil, fmt.Errorf("cannot read the kubeconfig: %w", err)
	}
	config.UserAgent = "loopdock/" + version
	config.QPS = -1
	if qps := c.Float64("qps"); qps > 0 {
		config.QPS, config.Burst = float32(qps), int(qps)*2+1
	}
	return config, nil
}

// fileError names the file, the reason and the remedy.
func fileError(what, path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s %s does not exist (check the path)", what, path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s %s may not be read (check its permissions)", what, path)
	default:
		return fmt.Errorf("cannot read %s %s: %w", what, path, err)
	}
}
