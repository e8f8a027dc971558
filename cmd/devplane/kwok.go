package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"sigs.k8s.io/kwok/kustomize/stage/node/fast"
	heartbeat "sigs.k8s.io/kwok/kustomize/stage/node/heartbeat-with-lease"
	podfast "sigs.k8s.io/kwok/kustomize/stage/pod/fast"
	"sigs.k8s.io/kwok/pkg/config"
	"sigs.k8s.io/kwok/pkg/kwok/cmd"
	"sigs.k8s.io/kwok/pkg/log"
	"sigs.k8s.io/kwok/pkg/utils/signals"
)

const (
	kwokName = "kwok"
	// fakeAnnotation is on the nodes that kwok plays kubelet for, as long as it holds
	// their Leases. A node that has never had it gets no heartbeats, and its pods do
	// not run.
	fakeAnnotation = "kwok.x-k8s.io/node"
	fakeValue      = "fake"

	podRange      = "10.128.0.0/9"
	leaseDuration = 40 // seconds, as kubelet's
)

// kwokMain does what kwok's own main package does.
func kwokMain() int {
	// Cobra offers the global flags to every command, and those that the
	// Kubernetes programs registered there collide with kwok's.
	pflag.CommandLine = pflag.NewFlagSet(kwokName, pflag.ContinueOnError)
	flags := pflag.NewFlagSet("global", pflag.ContinueOnError)
	flags.ParseErrorsAllowlist.UnknownFlags = true
	flags.Usage = func() {}
	ctx, logger := log.InitFlags(signals.SetupSignalContext(), flags)
	ctx, err := config.InitFlags(ctx, flags)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	command := cmd.NewCommand(ctx)
	command.PersistentFlags().AddFlagSet(flags)
	if err := command.ExecuteContext(ctx); err != nil {
		logger.Error("Execute exit", "err", err)
		return 1
	}
	return 0
}

// kwokConfig is kwok's own stages: a node is Ready at once and renews its
// lease, a pod that is bound to it runs at once, or is complete if it is a Job's.
func kwokConfig() []byte {
	return []byte(strings.Join([]string{
		fast.DefaultNodeInit,
		heartbeat.DefaultNodeHeartbeatWithLease,
		podfast.DefaultPodReady,
		podfast.DefaultPodComplete,
		podfast.DefaultPodDelete,
	}, "\n---\n"))
}

func kwokConfigFile(d *workDir) string { return d.file("kwok.yaml") }

func kwokArgs(d *workDir) []string {
	return flagSet{
		"kubeconfig":                            d.file("pki", kwokName+".kubeconfig"),
		"config":                                kwokConfigFile(d),
		"manage-nodes-with-annotation-selector": fakeAnnotation + "=" + fakeValue,
		"node-lease-duration-seconds":           strconv.Itoa(leaseDuration),
		"cidr":                                  podRange,
	}.with(nil)
}
