// Command nodelifecycle is two controllers of what becomes of nodes and of the
// Pods on them, with the behaviour of Kubernetes 1.37: one tells by conditions and
// taints how a node is, the other evicts Pods that don't tolerate the taints.
package main

import (
	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/coordinationv1"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// version is set where the module is built: -ldflags "-X main.version=v1".
var version = "dev"

var (
	kindNode  = &sdk.Kind{APIVersion: "v1", Kind: "Node"}
	kindPod   = &sdk.Kind{APIVersion: "v1", Kind: "Pod"}
	kindLease = &sdk.Kind{APIVersion: "coordination.k8s.io/v1", Kind: "Lease"}
)

// controllerName is also the name of the key that looks at all nodes at once. A node
// of that name has no key of its own.
const controllerName = "nodelifecycle"

// leaseNamespace is where kubelets renew their Leases.
const leaseNamespace = "kube-node-lease"

// byNode finds the Pods of a node.
const byNode = "node"

// nodeWakes is what a node's own key looks at. Heartbeats are among the conditions;
// Leases wake nobody: whether one was renewed is asked when a node's time is up.
var nodeWakes = sdk.Fields(
	corev1.NodeFields.Metadata().Labels(),
	corev1.NodeFields.Spec().Taints(),
	corev1.NodeFields.Spec().Unschedulable(),
	corev1.NodeFields.Status().Conditions(),
)

// zoneWakes is what the zones depend on.
var zoneWakes = sdk.Fields(
	corev1.NodeFields.Metadata().Labels(),
	corev1.NodeFields.Spec().Taints(),
	corev1.NodeFields.Status().Conditions().Type(),
	corev1.NodeFields.Status().Conditions().Status(),
)

var podsByNode = sdk.Index{Name: byNode, Path: sdk.Field(corev1.PodFields.Spec().NodeName())}

// concurrency is upstream's number of nodes that are worked on at once.
const concurrency = 8

func init() {
	sdk.Register(sdk.Module{Name: "nodelifecycle", Version: version, Controllers: []sdk.Controller{
		{
			Name: controllerName,
			// Each node has a key of its own, by its name, beside the key of all of them.
			Virtual: &sdk.Virtual{Singleton: true, Mappings: []sdk.Mapping{
				{Kind: kindNode, Rule: abi.KeyRuleObject, Wakes: nodeWakes},
				{Kind: kindNode, Rule: abi.KeyRuleSingleton, Wakes: zoneWakes},
			}},
			Reads: []sdk.Read{
				{Kind: kindNode},
				{Kind: kindLease, Namespaces: []string{leaseNamespace}, Live: true, Observed: sdk.Fields(coordinationv1.LeaseFields.Spec().RenewTime())},
				{Kind: kindPod, Indexes: []sdk.Index{podsByNode}},
			},
			Access: []sdk.Access{
				{Kind: kindNode, Verbs: []string{"patch"}},
				{Kind: kindNode, Subresource: "status", Verbs: []string{"update"}},
				{Kind: kindPod, Subresource: "status", Verbs: []string{"update"}},
			},
			ConfigSchema: settingsSchema,
			Metrics:      zoneMetrics,
			Concurrency:  concurrency,
			MemoSchema:   1,
			Reconcile:    reconcile,
		},
		{
			Name:    "tainteviction",
			Primary: &sdk.Primary{Kind: kindNode, Wakes: sdk.Fields(corev1.NodeFields.Spec().Taints())},
			Reads:   []sdk.Read{{Kind: kindPod, Indexes: []sdk.Index{podsByNode}}},
			Access: []sdk.Access{
				{Kind: kindPod, Verbs: []string{"delete"}},
				{Kind: kindPod, Subresource: "status", Verbs: []string{"patch"}},
			},
			Concurrency: concurrency,
			MemoSchema:  1,
			Reconcile:   evict,
		},
	}})
}

func main() {}
