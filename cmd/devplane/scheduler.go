package main

import (
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
)

const schedulerName = "kube-scheduler"

func schedulerMain() int { return cli.Run(app.NewSchedulerCommand()) }

func schedulerArgs(d *workDir) []string {
	return flagSet{
		"kubeconfig":     d.file("pki", schedulerName+".kubeconfig"),
		"leader-elect":   "false",
		"kube-api-qps":   "5000", // never the limit
		"kube-api-burst": "5000",
		"bind-address":   loopback,
		"secure-port":    "0", // nothing is served
	}.with(nil)
}
