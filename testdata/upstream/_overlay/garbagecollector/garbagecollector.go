// Package garbagecollector, as Loopdock's test harness has it: the constructor of
// the native controller gives one that runs the garbagecollector guest. What tests
// ask of the native graph is answered by the host's indexes.
package garbagecollector

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/loopdock/loopdock/host"
	"github.com/loopdock/loopdock/host/loop"
	"github.com/loopdock/loopdock/testdata/upstream/standin"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/klog/v2"
)

// name is the guest's and its controller's.
const name = "garbagecollector"

// GarbageCollector runs the guest.
type GarbageCollector struct {
	client clientset.Interface
	host   atomic.Pointer[host.Host] // nil before Run
}

// NewGarbageCollector has the native constructor's shape.
func NewGarbageCollector(
	_ context.Context, client clientset.Interface, _ metadata.Interface, _ meta.ResettableRESTMapper,
	_ map[schema.GroupResource]struct{}, _ informerfactory.InformerFactory, _ <-chan struct{},
) (*GarbageCollector, error) {
	return &GarbageCollector{client: client}, nil
}

// DefaultIgnoredResources are those that the guest's manifest leaves out.
func DefaultIgnoredResources() map[schema.GroupResource]struct{} {
	return map[schema.GroupResource]struct{}{
		{Resource: "events"}:                         {},
		{Group: "events.k8s.io", Resource: "events"}: {},
	}
}

// Run runs the guest until ctx ends.
func (gc *GarbageCollector) Run(ctx context.Context, workers int, initialSyncTimeout time.Duration) {
	(&standin.Controller{
		Module: name, Name: name, Workers: workers, Client: gc.client.CoreV1().RESTClient(),
		SyncBound: initialSyncTimeout,
		Config:    func() any { return struct{}{} },
		Started:   func(h *host.Host) { gc.host.Store(h) },
	}).Run(ctx)
}

// Sync does nothing: the host follows discovery while it runs.
func (gc *GarbageCollector) Sync(context.Context, discovery.ServerResourcesInterface, time.Duration) {
}

// IsSynced reports whether every kind that discovery has found is in the cache.
func (gc *GarbageCollector) IsSynced(klog.Logger) bool {
	h := gc.host.Load()
	if h == nil {
		return false
	}
	for _, c := range h.Status().Controllers {
		if c.Name == name {
			return c.Phase == loop.Running && len(c.Waiting) == 0
		}
	}
	return false
}

// GraphHasUID reports whether the host's indexes have an object of that UID, or
// one that names it as an owner.
func (gc *GarbageCollector) GraphHasUID(uid types.UID) bool {
	h := gc.host.Load()
	return h != nil && h.Knows(name, uid)
}
