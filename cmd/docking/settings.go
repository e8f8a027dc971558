package docking

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
)

// Publisher is the controller that publishes the root certificates.
const Publisher = "root-ca-certificate-publisher"

// Settings writes a controller's settings to a file in the folder, and gives the
// flag that names it.
func Settings(dir, controller string, settings any) ([]string, error) {
	b, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("cannot write the settings of %s: %w", controller, err)
	}
	path := filepath.Join(dir, controller+".json")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		return nil, fmt.Errorf("cannot write the settings of %s: %w", controller, err)
	}
	return []string{"--config", controller + "=" + path}, nil
}

// PublisherSettings writes the settings of the publisher: the certificates by
// which the connection knows the API server.
func PublisherSettings(dir string, config *rest.Config) ([]string, error) {
	config = rest.CopyConfig(config)
	if err := rest.LoadTLSFiles(config); err != nil {
		return nil, fmt.Errorf("cannot read the API server's certificates: %w", err)
	}
	return Settings(dir, Publisher, map[string]string{"rootCA": string(config.CAData)})
}
