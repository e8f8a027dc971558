package main

import (
	"slices"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// plan is what becomes of slices.
type plan struct {
	create, update, remove, keep []*slice
	added, removed               int // endpoints
	// reusable tells whether a slice that is to be removed may become another one;
	// nil if all may.
	reusable func(*slice) bool
}

// join adds another plan.
func (p *plan) join(o *plan) {
	p.create = append(p.create, o.create...)
	p.update = append(p.update, o.update...)
	p.remove = append(p.remove, o.remove...)
	p.keep = append(p.keep, o.keep...)
	p.added += o.added
	p.removed += o.removed
}

// reuse has slices that would be removed become those that would be created. What
// kind of addresses a slice holds can't change.
func (p *plan) reuse() {
	p.remove = slices.DeleteFunc(p.remove, func(old *slice) bool {
		i := slices.IndexFunc(p.create, func(o *slice) bool { return o.addressType == old.addressType })
		if i < 0 || p.reusable != nil && !p.reusable(old) {
			return false
		}
		o := p.create[i]
		p.create = slices.Delete(p.create, i, i+1)
		o.name = old.name
		o.meta = o.meta.WithName(old.name).WithResourceVersion(old.meta.ResourceVersion())
		p.update = append(p.update, o)
		return true
	})
}

// write does what was planned: first what is new, so that no endpoint is missing
// in between. Nothing is created for what is being deleted. It reports whether
// there is anything to do.
func (p *plan) write(r *sdk.Reconcile, namespace string, terminating bool, trigger string) bool {
	p.reuse()
	creates, updates, removes := r.Batch(sdk.Parallel), r.Batch(sdk.Parallel), r.Batch(sdk.Parallel)
	if terminating {
		p.create = nil
	}
	for _, o := range p.create {
		o.meta = annotated(o.meta, corev1.EndpointsLastChangeTriggerTime, trigger)
		creates.Create(kindSlice, namespace, "", o.encode())
	}
	for _, o := range p.update {
		o.meta = annotated(o.meta, corev1.EndpointsLastChangeTriggerTime, trigger)
		updates.Update(kindSlice, namespace, o.name, o.encode())
	}
	for _, o := range p.remove {
		removes.Delete(kindSlice, namespace, o.name).IfUID(o.meta.UID()).Tolerate(sdk.NotFound)
	}
	p.observe(r)
	return len(p.create)+len(p.update)+len(p.remove) > 0
}

// sliceMetrics are upstream's, but for those that count over all Services.
var sliceMetrics = []sdk.Metric{
	{Name: "changes", Help: "Number of EndpointSlices that were changed.", Type: abi.MetricTypeCounter, Labels: []string{"operation"}},
	{Name: "endpoints_added_per_sync", Help: "Number of endpoints that a sync added.", Type: abi.MetricTypeHistogram, Buckets: powersOfTwo},
	{Name: "endpoints_removed_per_sync", Help: "Number of endpoints that a sync removed.", Type: abi.MetricTypeHistogram, Buckets: powersOfTwo},
}

var powersOfTwo = []float64{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768}

func (p *plan) observe(r *sdk.Reconcile) {
	for _, c := range []struct {
		operation string
		n         int
	}{{"create", len(p.create)}, {"update", len(p.update)}, {"delete", len(p.remove)}} {
		if c.n > 0 {
			r.Observe("changes", float64(c.n), c.operation)
		}
	}
	r.Observe("endpoints_added_per_sync", float64(p.added))
	r.Observe("endpoints_removed_per_sync", float64(p.removed))
}
