// Package nodelifecycle, as Loopdock's test harness has it: the constructor of the
// native controller gives one that runs the nodelifecycle guest.
package nodelifecycle

import (
	"context"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	appsv1informers "k8s.io/client-go/informers/apps/v1"
	coordinformers "k8s.io/client-go/informers/coordination/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/tainteviction"
	"k8s.io/kubernetes/pkg/features"

	"github.com/loopdock/loopdock/testdata/upstream/standin"
)

// The taints that tests take off their nodes.
var (
	UnreachableTaintTemplate = &v1.Taint{Key: v1.TaintNodeUnreachable, Effect: v1.TaintEffectNoExecute}
	NotReadyTaintTemplate    = &v1.Taint{Key: v1.TaintNodeNotReady, Effect: v1.TaintEffectNoExecute}
)

// Controller runs the guest, and the one that evicts Pods where the native one would.
type Controller struct {
	client   clientset.Interface
	settings map[string]any
	evicts   *tainteviction.Controller
}

// NewNodeLifecycleController has the native constructor's shape.
func NewNodeLifecycleController(
	ctx context.Context, leases coordinformers.LeaseInformer, pods coreinformers.PodInformer, nodes coreinformers.NodeInformer,
	daemonSets appsv1informers.DaemonSetInformer, client clientset.Interface,
	period, startup, grace time.Duration, rate, secondary float32, large int32, unhealthy float32,
) (*Controller, error) {
	leases.Informer() // the native one registers them too
	pods.Informer()
	nodes.Informer()
	daemonSets.Informer()
	c := &Controller{client: client, settings: map[string]any{
		"nodeMonitorPeriod": period.String(), "nodeStartupGracePeriod": startup.String(), "nodeMonitorGracePeriod": grace.String(),
		"nodeEvictionRate": rate, "secondaryNodeEvictionRate": secondary, "largeClusterSizeThreshold": large, "unhealthyZoneThreshold": unhealthy,
	}}
	if utilfeature.DefaultFeatureGate.Enabled(features.SeparateTaintEvictionController) {
		return c, nil
	}
	var err error
	c.evicts, err = tainteviction.New(ctx, client, pods, nodes, "taint-eviction-controller")
	return c, err
}

// Run runs the guest until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	if c.evicts != nil {
		running.Go(func() { c.evicts.Run(ctx) })
	}
	(&standin.Controller{
		Module: "nodelifecycle", Name: "nodelifecycle", Workers: 8, Client: c.client.CoreV1().RESTClient(),
		Config: func() any { return c.settings },
	}).Run(ctx)
}
