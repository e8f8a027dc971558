package main

import (
	"maps"
	"math"
	"slices"
	"strconv"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
)

// overload is by how much more than its share an endpoint may have to serve.
const overload = 0.2

// Reasons of Events about hints.
const (
	hintsEnabled  = "TopologyAwareHintsEnabled"
	hintsDisabled = "TopologyAwareHintsDisabled"
)

// allotment is how many endpoints should serve a zone.
type allotment struct {
	least, most int
	desired     float64
}

// hintByTopology has each zone served by as many endpoints as is its part of the
// cluster's processors, by its own ones first.
func (s *service) hintByTopology(r *sdk.Reconcile, m *memory, family string, p *plan) error {
	shares, err := zoneShares(r)
	if err != nil {
		return err
	}
	reason := p.serveZones(shares)
	switch {
	case reason != "":
		r.Event(sdk.Warning, hintsDisabled, reason+", addressType: "+family)
		p.unhint()
		m.hinted = false
	case !m.hinted:
		r.Event(sdk.Normal, hintsEnabled, "Topology Aware Hints has been enabled, addressType: "+family)
		m.hinted = true
	}
	return nil
}

// serveZones gives hints, or tells why it can't.
func (p *plan) serveZones(shares map[string]float64) (reason string) {
	allot, reason := allotments(shares, p.readyEndpoints())
	if reason != "" {
		return reason
	}
	served := p.keepHinted(allot)
	writable := slices.Concat(p.create, p.update)
	for _, o := range writable {
		for i, e := range o.endpoints {
			if !e.Conditions().Ready() {
				continue
			}
			zone := e.Zone()
			if zone == "" {
				return "One or more endpoints do not have a zone specified"
			}
			served[zone]++
			o.endpoints[i] = e.WithHints(forZone(zone))
		}
	}
	redistribute(writable, allot, served)
	if len(served) == 0 {
		return "No hints allocated for zones"
	}
	return ""
}

func forZone(zone string) discoveryv1.EndpointHints {
	return discoveryv1.EndpointHints(nil).WithForZones(discoveryv1.ForZone(nil).WithName(zone))
}

func (p *plan) readyEndpoints() int {
	n := 0
	for _, o := range slices.Concat(p.create, p.update, p.keep) {
		for _, e := range o.endpoints {
			if e.Conditions().Ready() {
				n++
			}
		}
	}
	return n
}

// allotments divides so many endpoints among the zones, or tells why that can't be done.
func allotments(shares map[string]float64, endpoints int) (out map[string]allotment, reason string) {
	counts := " (" + strconv.Itoa(endpoints) + " endpoints, " + strconv.Itoa(len(shares)) + " zones)"
	switch {
	case shares == nil:
		return nil, "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes"
	case len(shares) > endpoints:
		return nil, "Insufficient number of endpoints" + counts
	}
	out = map[string]allotment{}
	total := 0
	for zone, share := range shares {
		desired := share * float64(endpoints)
		least := int(math.Ceil(desired * (1 / (1 + overload))))
		out[zone] = allotment{least: least, desired: math.Max(desired, float64(least))}
		total += least
	}
	if total > endpoints {
		return nil, "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold" + counts
	}
	for zone, a := range out {
		a.most = a.least + endpoints - total
		out[zone] = a
	}
	return out, ""
}

// keepHinted counts the hints of slices that can stay as they are, by zone. Others
// are updated: where a hint is missing, is for a zone that needs none, or is one
// too many for its zone.
func (p *plan) keepHinted(allot map[string]allotment) (served map[string]int) {
	served = map[string]int{}
	p.keep = slices.DeleteFunc(p.keep, func(o *slice) bool {
		own, ok := hintsOf(o, allot)
		for zone, n := range own {
			ok = ok && served[zone]+n <= allot[zone].most
		}
		if !ok {
			p.update = append(p.update, o.with(slices.Clone(o.endpoints)))
			return true
		}
		for zone, n := range own {
			served[zone] += n
		}
		return false
	})
	return served
}

func hintsOf(o *slice, allot map[string]allotment) (byZone map[string]int, ok bool) {
	byZone = map[string]int{}
	for _, e := range o.endpoints {
		if !e.Conditions().Ready() {
			continue
		}
		zones := zoneNames(e.Hints())
		if len(zones) == 0 {
			return nil, false
		}
		for _, zone := range zones {
			if _, wanted := allot[zone]; !wanted {
				return nil, false
			}
			byZone[zone]++
		}
	}
	return byZone, true
}

// redistribute has endpoints of zones that have more than they need serve others.
func redistribute(list []*slice, allot map[string]allotment, served map[string]int) {
	giving, receiving := exchange(allot, served)
	for _, o := range list {
		for i, e := range o.endpoints {
			from := e.Zone()
			if !e.Conditions().Ready() || giving[from] == 0 || len(receiving) == 0 {
				continue
			}
			to := slices.Min(slices.Collect(maps.Keys(receiving)))
			o.endpoints[i] = e.WithHints(forZone(to))
			giving[from]--
			if receiving[to]--; receiving[to] == 0 {
				delete(receiving, to)
			}
			served[from]--
			served[to]++
		}
	}
}

// exchange is how many endpoints each zone gives to others, or is given.
func exchange(allot map[string]allotment, served map[string]int) (giving, receiving map[string]int) {
	over, under := map[string]float64{}, map[string]float64{}
	for zone, a := range allot {
		switch diff := float64(served[zone]) - a.desired; {
		case diff > 0:
			over[zone] = diff
		case diff < 0:
			under[zone] = -diff
		}
	}
	giving, receiving = map[string]int{}, map[string]int{}
	for {
		from, to := mostOf(over), mostOf(under)
		give, take := over[from], under[to]
		if give < 0.5 || take < 0.5 || give < 1 && take < 1 {
			return giving, receiving
		}
		giving[from]++
		over[from]--
		receiving[to]++
		under[to]--
	}
}

// mostOf is the zone with the largest number, empty if none is above zero.
func mostOf(zones map[string]float64) string {
	best, most := "", 0.0
	for _, zone := range slices.Sorted(maps.Keys(zones)) {
		if zones[zone] > most {
			best, most = zone, zones[zone]
		}
	}
	return best
}
