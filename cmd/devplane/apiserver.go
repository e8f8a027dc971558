package main

import (
	"context"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

const (
	apiserverName = "kube-apiserver"

	// advertiseAddress goes into the endpoints of the service "kubernetes". They
	// must not be loopback addresses; this one is for documentation (RFC 5737)
	// and is never listened on.
	advertiseAddress = "192.0.2.1"
	serviceRange     = "10.96.0.0/16"
	serviceIP        = "10.96.0.1" // of the service "kubernetes"
	issuer           = "https://kubernetes.default.svc.cluster.local"
)

// auditPolicy notes every request once it is answered, without its bodies.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`

func apiserverMain() int { return cli.Run(app.NewAPIServerCommand()) }

func apiserverArgs(c *Config, d *workDir, p *pki, port int) []string {
	flags := flagSet{
		"bind-address":                     loopback,
		"secure-port":                      strconv.Itoa(port),
		"advertise-address":                advertiseAddress,
		"etcd-servers":                     etcdURL(d),
		"authorization-mode":               "RBAC",
		"token-auth-file":                  p.tokens,
		"client-ca-file":                   p.caCert,
		"tls-cert-file":                    p.serverCert,
		"tls-private-key-file":             p.serverKey,
		"service-account-issuer":           issuer,
		"service-account-key-file":         p.accountPub,
		"service-account-signing-key-file": p.accountKey,
		"service-cluster-ip-range":         serviceRange,
		"allow-privileged":                 "true",
	}
	if !c.serviceAccountAdmission() {
		flags["disable-admission-plugins"] = "ServiceAccount"
	}
	if c.AuditLog != "" {
		flags["audit-log-path"] = c.AuditLog
		flags["audit-policy-file"] = auditPolicyFile(d)
		flags["audit-log-maxsize"] = "0" // no rotation, so that the file can be counted
	}
	return flags.with(c.APIServerArgs)
}

func auditPolicyFile(d *workDir) string { return d.file("audit-policy.yaml") }

// apiserverReady tells if the API server calls itself ready.
func apiserverReady(client kubernetes.Interface) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return err
	}
}

// defaultsExist tells if a namespace "default" exists, with its service account
// if there is a controller to make one.
func defaultsExist(c *Config, client kubernetes.Interface) func(context.Context) error {
	return func(ctx context.Context) error {
		if _, err := client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{}); err != nil {
			return fmt.Errorf("namespace default: %w", err)
		}
		if !c.serviceAccountController() {
			return nil
		}
		if _, err := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{}); err != nil {
			return fmt.Errorf("service account default: %w", err)
		}
		return nil
	}
}
