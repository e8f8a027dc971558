package main

import (
	_ "time/tzdata" // for CronJobs' time zones

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"          // the JSON log format
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // client-go's metrics
	_ "k8s.io/component-base/metrics/prometheus/version"  // the version's metric
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

const controllersName = "kube-controller-manager"

func controllersMain() int { return cli.Run(app.NewControllerManagerCommand()) }

func controllersArgs(c *Config, d *workDir, p *pki) []string {
	return flagSet{
		"kubeconfig":                       d.file("pki", controllersName+".kubeconfig"),
		"controllers":                      c.Controllers,
		"use-service-account-credentials":  "true", // RBAC as in a cluster, and a user for each controller
		"service-account-private-key-file": p.accountKey,
		"root-ca-file":                     p.caCert,
		"cluster-signing-cert-file":        p.caCert,
		"cluster-signing-key-file":         p.caKey,
		"leader-elect":                     "false",
		"kube-api-qps":                     "5000", // never the limit
		"kube-api-burst":                   "5000",
		"bind-address":                     loopback,
		"secure-port":                      "0", // nothing is served
		"flex-volume-plugin-dir":           d.file("run", "flexvolume"),
	}.with(c.ControllerArgs)
}
