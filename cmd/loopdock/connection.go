package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func connectionFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "kubeconfig", Usage: "`FILE` that says how to reach the API server; else $KUBECONFIG, ~/.kube/config, or the pod's service account"},
		&cli.StringFlag{Name: "context", Usage: "`NAME` of the kubeconfig's context; else its current one"},
		&cli.Float64Flag{Name: "qps", Usage: "`N`: most requests a second of the whole host; 0 leaves it to the API server's priority and fairness"},
	}
}

// connection reads the flags above.
func connection(c *cli.Context) (*rest.Config, error) {
	if c.Float64("qps") < 0 {
		return nil, fmt.Errorf("--qps is %v (it is 0 or more)", c.Float64("qps"))
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = c.String("kubeconfig")
	source, err := kubeconfigSource(rules)
	if err != nil {
		return nil, err
	}
	overrides := &clientcmd.ConfigOverrides{CurrentContext: c.String("context")}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, kubeconfigError(source, err)
	}
	if _, _, err := rest.DefaultServerUrlFor(config); err != nil {
		return nil, kubeconfigError(source, err)
	}
	if _, err := rest.TransportFor(config); err != nil {
		return nil, kubeconfigError(source, err)
	}
	config.UserAgent = "loopdock/" + version
	config.QPS = -1
	if qps := c.Float64("qps"); qps > 0 {
		config.QPS, config.Burst = float32(qps), int(qps)*2+1
	}
	return config, nil
}

// kubeconfigSource is the files that are read, for messages; empty if there are
// none.
func kubeconfigSource(rules *clientcmd.ClientConfigLoadingRules) (string, error) {
	if path := rules.ExplicitPath; path != "" {
		if _, err := os.ReadFile(path); err != nil { //nolint:gosec // the file that the user names
			return "", fileError("kubeconfig", path, err)
		}
		return path, nil
	}
	var found []string
	for _, path := range rules.GetLoadingPrecedence() {
		if _, err := os.Stat(path); err == nil {
			found = append(found, path)
		}
	}
	if env := os.Getenv("KUBECONFIG"); env != "" && len(found) == 0 {
		return "", fmt.Errorf("no file that $KUBECONFIG names exists: %s (check the variable, or name a file by --kubeconfig)", env)
	}
	return strings.Join(found, string(filepath.ListSeparator)), nil
}

// kubeconfigError names the file and the reason, without client-go's own names
// for them.
func kubeconfigError(source string, err error) error {
	help := "kubectl config view shows it"
	switch {
	case source == "" && (clientcmd.IsEmptyConfig(err) || errors.Is(err, rest.ErrNotInCluster)):
		return errors.New("no kubeconfig found (give one by --kubeconfig or $KUBECONFIG, or run inside a pod)")
	case source == "":
		return fmt.Errorf("cannot use the pod's service account: %w (give a kubeconfig by --kubeconfig)", err)
	case clientcmd.IsEmptyConfig(err), errors.Is(err, rest.ErrNotInCluster):
		return fmt.Errorf("kubeconfig %s names no cluster (check that it is a kubeconfig, or name another by --kubeconfig)", source)
	}
	text := strings.TrimPrefix(err.Error(), "invalid configuration: ")
	text = strings.TrimPrefix(text, fmt.Sprintf("error loading config file %q: ", source))
	if strings.HasPrefix(text, "context ") {
		help = "kubectl config get-contexts lists those that it has"
	}
	return fmt.Errorf("cannot use kubeconfig %s: %s (%s)", source, text, help)
}
