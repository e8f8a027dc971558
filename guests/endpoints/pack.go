package main

import (
	"cmp"
	"slices"

	"github.com/loopdock/loopdock/sdk-go/view/discoveryv1"
)

// plan packs the endpoints of one family into slices, with as few writes as it can.
func (s *service) plan(family string, want *portGroups, existing []*slice, most int) *plan {
	p := &plan{}
	byPorts := map[string][]*slice{}
	for _, o := range existing {
		if !s.owns(o) {
			p.remove = append(p.remove, o)
			continue
		}
		key := portsKey(slices.Values(o.ports))
		if want.by[key] == nil {
			p.remove = append(p.remove, o) // nothing has these ports any more
			continue
		}
		byPorts[key] = append(byPorts[key], o)
	}
	for _, group := range want.list {
		p.join(s.pack(family, group, byPorts[group.key], most))
	}
	if len(existing) == len(p.remove) && len(p.create) == 0 {
		s.keepPlace(family, p)
	}
	return p
}

// keepPlace leaves a slice without endpoints where there would be none at all.
func (s *service) keepPlace(family string, p *plan) {
	if len(p.remove) == 1 {
		o := p.remove[0]
		if len(o.endpoints) == 0 && len(o.ports) == 0 && sameLabels(o.meta.Labels(), s.sliceLabels()) {
			p.keep, p.remove = append(p.keep, o), nil
			return
		}
	}
	p.create = append(p.create, s.empty(family, nil))
}

// pack distributes endpoints that have the same ports: first everything stays where
// it is, then slices that must be written anyhow are filled, the fullest first,
// and at last one is looked for that has room for all that is left.
func (s *service) pack(family string, group *portGroup, existing []*slice, most int) *plan {
	p, left := &plan{}, group.endpoints
	for _, o := range existing {
		stay, changed := keepIn(o, left)
		p.removed += len(o.endpoints) - len(stay)
		switch {
		case changed && len(stay) == 0:
			p.remove = append(p.remove, o)
		case changed || s.labelsDiffer(o):
			next := o.with(stay)
			next.meta = o.meta.WithLabels(s.sliceLabels())
			p.update = append(p.update, next)
		default:
			p.keep = append(p.keep, o)
		}
	}
	p.added = left.left
	slices.SortStableFunc(p.update, func(a, b *slice) int { return cmp.Compare(len(b.endpoints), len(a.endpoints)) })
	for _, o := range p.update {
		o.endpoints = left.fill(o.endpoints, most)
	}
	for left.left > 0 {
		if i := roomFor(p.keep, left.left, most); i >= 0 {
			o := p.keep[i]
			p.keep = slices.Delete(p.keep, i, i+1)
			p.update = append(p.update, o.with(left.fill(slices.Clone(o.endpoints), most)))
			continue
		}
		o := s.empty(family, group.ports)
		o.endpoints = left.fill(nil, most)
		p.create = append(p.create, o)
	}
	return p
}

// keepIn is those endpoints of a slice that may stay, as they should be now, and
// whether anything about them has changed.
func keepIn(o *slice, want *endpointSet) (stay []discoveryv1.Endpoint, changed bool) {
	stay = make([]discoveryv1.Endpoint, 0, len(o.endpoints))
	for _, is := range o.endpoints {
		e, ok := want.take(is)
		if !ok {
			changed = true
			continue
		}
		changed = changed || !sameEndpoint(is, e)
		stay = append(stay, e)
	}
	return stay, changed
}

// roomFor is the place of the slice that will be fullest with n endpoints more, -1
// if none has room for them.
func roomFor(list []*slice, n, most int) int {
	best, least := -1, most
	for i, o := range list {
		if rest := most - n - len(o.endpoints); rest >= 0 && rest < least {
			best, least = i, rest
		}
	}
	return best
}
