package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"time"
)

// pki is the files with a plane's keys and certificates. They are made once and
// kept with its data, so that clients outlive a restart.
type pki struct {
	caCert, caKey         string // signs the server's certificate, and requests in the cluster
	serverCert, serverKey string
	accountKey            string // signs service account tokens
	accountPub            string
	tokens                string // static tokens of the plane's own users
}

const validity = 10 * 365 * 24 * time.Hour

// openPKI makes the files that are not there yet.
func openPKI(d *workDir) (*pki, error) {
	f := func(name string) string { return d.file("pki", name) }
	p := &pki{
		caCert: f("ca.crt"), caKey: f("ca.key"),
		serverCert: f("server.crt"), serverKey: f("server.key"),
		accountKey: f("sa.key"), accountPub: f("sa.pub"),
		tokens: f("tokens.csv"),
	}
	// The tokens are written last: where they are, all is.
	_, err := os.Stat(p.tokens)
	if errors.Is(err, fs.ErrNotExist) {
		err = p.create()
	}
	if err != nil {
		return nil, fmt.Errorf("cannot make the certificates: %w", err)
	}
	return p, nil
}

func (p *pki) create() error {
	caKey, err := newKey(p.caKey)
	if err != nil {
		return err
	}
	ca, err := certificate(p.caCert, &x509.Certificate{
		Subject:               pkix.Name{CommonName: "devplane-ca"},
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature | x509.KeyUsageCRLSign,
		IsCA:                  true,
		BasicConstraintsValid: true,
	}, nil, caKey, caKey)
	if err != nil {
		return err
	}
	serverKey, err := newKey(p.serverKey)
	if err != nil {
		return err
	}
	_, err = certificate(p.serverCert, &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{
			"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local",
		},
		IPAddresses: []net.IP{net.ParseIP(loopback), net.ParseIP(advertiseAddress), net.ParseIP(serviceIP)},
	}, ca, serverKey, caKey)
	if err != nil {
		return err
	}
	accountKey, err := newKey(p.accountKey)
	if err != nil {
		return err
	}
	pub, err := x509.MarshalPKIXPublicKey(accountKey.Public())
	if err != nil {
		return err
	}
	if err := writePEM(p.accountPub, "PUBLIC KEY", pub); err != nil {
		return err
	}
	return writeFile(p.tokens, newTokens())
}

func newKey(path string) (crypto.Signer, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, writePEM(path, "EC PRIVATE KEY", der)
}

// certificate signs template for key and writes it; a nil issuer signs itself.
func certificate(path string, template, issuer *x509.Certificate, key, issuerKey crypto.Signer) (*x509.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(validity)
	if issuer == nil {
		issuer = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, issuer, key.Public(), issuerKey)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	return cert, writePEM(path, "CERTIFICATE", der)
}

func writePEM(path, kind string, der []byte) error {
	return writeFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
