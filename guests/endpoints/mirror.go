package main

import (
	"errors"
	"slices"
	"strconv"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// mirrorManager is what mirrored slices say of who keeps them.
const mirrorManager = "endpointslicemirroring-controller.k8s.io"

// selectorWakes tells that a Service has got a selector, or has none any more.
var selectorWakes = sdk.Fields(corev1.ServiceFields.Spec().Selector())

var mirrorMetrics = append(slices.Clone(sliceMetrics),
	sdk.Metric{Name: "addresses_skipped_per_sync", Help: "Number of addresses that a sync did not mirror.", Type: abi.MetricTypeHistogram, Buckets: powersOfTwo})

// mirror keeps EndpointSlices that say what Endpoints say which users wrote.
func mirror(r *sdk.Reconcile) error {
	key := r.Key()
	if r.Continues() {
		return sdk.Failures("cannot mirror the Endpoints", unlessTerminating(r.Results()))
	}
	existing, err := findMirrored(r, key.Namespace, key.Name)
	if err != nil {
		return err
	}
	wanted, err := mirrors(r)
	if err != nil {
		return err
	}
	if !wanted {
		finish(r, &plan{remove: existing}, false)
		return nil
	}
	e := corev1.Endpoints(r.Object())
	most := limit(r, "mirroringMaxEndpointsPerSubset", mostEndpoints)
	groups, invalid, skipped := mirroredGroups(e, most)
	if invalid > 0 {
		r.Event(sdk.Warning, "InvalidIPAddress", "Skipped "+strconv.Itoa(invalid)+" invalid IP addresses when mirroring to EndpointSlices")
	}
	if skipped > invalid {
		r.Event(sdk.Warning, "TooManyAddressesToMirror", "A max of "+strconv.Itoa(most)+
			" addresses can be mirrored to EndpointSlices per Endpoints subset. "+strconv.Itoa(skipped)+" addresses were skipped")
	}
	r.Observe("addresses_skipped_per_sync", float64(skipped))
	finish(r, planMirror(e.Metadata(), groups, existing, most), e.Metadata().HasDeletionTimestamp())
	return nil
}

func finish(r *sdk.Reconcile, p *plan, terminating bool) {
	if p.write(r, r.Key().Namespace, terminating, "") {
		r.Continue(nil)
	}
}

// mirrors reports whether Endpoints are a user's: those of a Service with a selector
// are not, nor are those that are a lock.
func mirrors(r *sdk.Reconcile) (bool, error) {
	if !r.Exists() {
		return false, nil
	}
	m := corev1.Endpoints(r.Object()).Metadata()
	if hasLabel(m.Labels(), discoveryv1.LabelSkipMirror, "true") || m.Annotations().Has(annotationLeader) {
		return false, nil
	}
	s, err := sdk.Get[corev1.Service](r, sdk.Query{Kind: kindService, Namespace: m.Namespace(), Name: m.Name(), Wakes: selectorWakes})
	if errors.Is(err, sdk.ErrNotFound) {
		return false, nil
	}
	return s.Spec().Selector().Len() == 0, err
}

// findMirrored reads the slices that mirror Endpoints of that name.
func findMirrored(r *sdk.Reconcile, namespace, name string) ([]*slice, error) {
	bodies, err := sdk.List[discoveryv1.EndpointSlice](r, slicesQuery(namespace, name, mirrorManager))
	if err != nil {
		return nil, err
	}
	out := make([]*slice, len(bodies))
	for i, body := range bodies {
		out[i] = newSlice(body)
	}
	sortByName(out)
	return out, nil
}

// mirroredGroups is the addresses of Endpoints, of each subset only so many, by
// family and ports; and how many of them are no addresses, or were left out.
func mirroredGroups(e corev1.Endpoints, most int) (byFamily map[string]*portGroups, invalid, skipped int) {
	byFamily = map[string]*portGroups{}
	for _, family := range families {
		byFamily[family] = newPortGroups()
	}
	for _, sub := range repack(e) {
		ports := mirroredPorts(sub.ports)
		added := 0
		add := func(list []corev1.EndpointAddress, ready bool) {
			for _, a := range list {
				if added >= most {
					return
				}
				ip, ok := parseIP(a.IP())
				if !ok {
					invalid++
					continue
				}
				byFamily[familyOf(ip.String())].of(ports).endpoints.add(mirrored(a, ip.String(), ready))
				added++
			}
		}
		add(sub.ready, true)
		add(sub.notReady, false)
		skipped += len(sub.ready) + len(sub.notReady) - added
	}
	return byFamily, invalid, skipped
}

var families = []string{corev1.IPv4Protocol, corev1.IPv6Protocol}

func mirroredPorts(list []corev1.EndpointPort) []discoveryv1.EndpointPort {
	out := make([]discoveryv1.EndpointPort, 0, len(list))
	for _, port := range list {
		out = append(out, slicePort(port, port.Port()))
	}
	sortPorts(out)
	return out
}

// mirrored is an address of Endpoints as an endpoint.
func mirrored(a corev1.EndpointAddress, ip string, ready bool) discoveryv1.Endpoint {
	e := discoveryv1.Endpoint(nil).WithAddresses(ip).WithConditions(discoveryv1.EndpointConditions(nil).WithReady(ready))
	if a.HasTargetRef() {
		e = e.WithTargetRef(a.TargetRef())
	}
	if a.HasNodeName() {
		e = e.WithNodeName(a.NodeName())
	}
	if a.Hostname() != "" {
		e = e.WithHostname(a.Hostname())
	}
	return e
}

// planMirror gives each family and set of ports one slice, and removes all others.
func planMirror(m metav1.ObjectMeta, byFamily map[string]*portGroups, existing []*slice, most int) *plan {
	p := &plan{}
	for _, family := range families {
		for _, group := range byFamily[family].list {
			var had []*slice
			existing = slices.DeleteFunc(existing, func(o *slice) bool {
				same := o.addressType == family && portsKey(slices.Values(o.ports)) == group.key
				if same {
					had = append(had, o)
				}
				return same
			})
			p.mirrorGroup(m, family, group, had, most)
		}
	}
	p.remove = append(p.remove, existing...)
	return p
}

func (p *plan) mirrorGroup(m metav1.ObjectMeta, family string, group *portGroup, had []*slice, most int) {
	want := &slice{meta: mirrorMeta(m), addressType: family, ports: group.ports}
	if len(had) == 0 {
		p.added += group.endpoints.left
		want.endpoints = group.endpoints.fill(nil, most)
		p.create = append(p.create, want)
		return
	}
	is := had[0]
	p.remove = append(p.remove, had[1:]...)
	stay, changed := keepIn(is, group.endpoints)
	p.removed += len(is.endpoints) - len(stay)
	p.added += group.endpoints.left
	if !changed && group.endpoints.left == 0 && mirrorsMeta(is.meta, want.meta) {
		p.keep = append(p.keep, is)
		return
	}
	want.endpoints = group.endpoints.fill(stay, most)
	want.name = is.name
	want.meta = want.meta.WithoutGenerateName().WithName(is.name).WithResourceVersion(is.meta.ResourceVersion())
	p.update = append(p.update, want)
}
