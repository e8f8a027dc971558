package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
)

// publisher is the guest's controller that publishes the root certificates.
const publisher = "root-ca-certificate-publisher"

// rootCAConfig writes the publisher's configuration: the certificates by which the
// plane's kubeconfig knows the API server, which kube-controller-manager publishes
// as well.
func rootCAConfig(dir, kubeconfig string) (string, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return "", fmt.Errorf("cannot read the plane's kubeconfig: %w", err)
	}
	rootCA := config.CAData
	if len(rootCA) == 0 {
		if rootCA, err = os.ReadFile(config.CAFile); err != nil {
			return "", fmt.Errorf("cannot read the plane's certificates: %w", err)
		}
	}
	b, err := json.Marshal(map[string]string{"rootCA": string(rootCA)})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "root-ca.json")
	return path, os.WriteFile(path, b, 0o600)
}
