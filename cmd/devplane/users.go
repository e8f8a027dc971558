package main

import (
	"bytes"
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"os"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// The plane's own users. Tokens cost the API server less than certificates,
// which it verifies anew with every request.
const (
	adminUser       = "admin"
	kwokUser        = "kwok"
	schedulerUser   = "system:kube-scheduler"
	controllersUser = "system:kube-controller-manager"
	mastersGroup    = "system:masters"
)

// newTokens makes a static token file with a fresh token for each user.
func newTokens() []byte {
	var buf bytes.Buffer
	w := csv.NewWriter(&buf)
	for _, u := range []struct{ name, group string }{
		{adminUser, mastersGroup},
		{kwokUser, mastersGroup},
		{schedulerUser, ""},
		{controllersUser, ""},
	} {
		record := []string{rand.Text(), u.name, u.name}
		if u.group != "" {
			record = append(record, u.group)
		}
		_ = w.Write(record) // a bytes.Buffer takes everything
	}
	w.Flush()
	return buf.Bytes()
}

// token looks up a user's token.
func (p *pki) token(user string) (string, error) {
	f, err := os.Open(p.tokens)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", p.tokens, err)
	}
	for _, record := range records {
		if len(record) >= 3 && record[1] == user {
			return record[0], nil
		}
	}
	return "", fmt.Errorf("%s has no token for %s", p.tokens, user)
}

// writeKubeconfig writes a kubeconfig, complete in itself, for one user.
func (p *pki) writeKubeconfig(path, user, server string) error {
	token, err := p.token(user)
	if err != nil {
		return fmt.Errorf("cannot write the kubeconfig %s: %w", path, err)
	}
	ca, err := os.ReadFile(p.caCert)
	if err != nil {
		return fmt.Errorf("cannot write the kubeconfig %s: %w", path, err)
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["devplane"] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["devplane"] = &clientcmdapi.Context{Cluster: "devplane", AuthInfo: user}
	config.CurrentContext = "devplane"
	data, err := clientcmd.Write(*config)
	if err == nil {
		err = writeFile(path, data)
	}
	if err != nil {
		return fmt.Errorf("cannot write the kubeconfig %s: %w", path, err)
	}
	return nil
}

// restConfig is the parent's own connection, as administrator.
func (p *pki) restConfig(server string) (*rest.Config, error) {
	token, err := p.token(adminUser)
	if err != nil {
		return nil, err
	}
	return &rest.Config{
		Host:            server,
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAFile: p.caCert},
		QPS:             -1,
		UserAgent:       "devplane",
	}, nil
}
