package main

import (
	"encoding/binary"
	"math"
	"slices"
	"time"

	"github.com/loopdock/loopdock/abi"
)

// zoneMemory is what is remembered of the zones.
type zoneMemory struct {
	resumed time.Time // when the cluster last came back from a full disruption
	zones   map[string]*pace
}

// pace is a zone's state, and how fast its nodes are tainted: a bucket of one token.
type pace struct {
	state byte
	rate  float64   // tokens a second; none if it is 0
	next  time.Time // when there is a token again
}

// zone is the pace of a zone; a new one has its token.
func (m *zoneMemory) zone(name string, set settings) *pace {
	z := m.zones[name]
	if z == nil {
		z = &pace{rate: set.rate}
		m.zones[name] = z
	}
	return z
}

// take takes the token, if there is one.
func (z *pace) take(now time.Time) bool {
	if z.rate == 0 || now.Before(z.next) {
		return false
	}
	z.next = now.Add(z.every())
	return true
}

// every is how long a token takes to come, a year at most.
func (z *pace) every() time.Duration {
	const year = 365 * 24 * time.Hour
	return time.Duration(min(float64(time.Second)/z.rate, float64(year)))
}

// due is when the token comes, and whether one will.
func (z *pace) due() (time.Time, bool) { return z.next, z.rate > 0 }

// limit changes the rate. A zone that was waiting for its token waits for one at
// the new rate, from now on.
func (z *pace) limit(rate float64, now time.Time) {
	if z.rate == rate {
		return
	}
	waits := z.rate == 0 || now.Before(z.next)
	z.rate = rate
	if waits && rate > 0 {
		z.next = now.Add(z.every())
	}
}

// rateIn is the rate that a zone of that size has in a state.
func rateIn(state byte, size int, set settings) float64 {
	switch {
	case state != statePartial:
		return set.rate
	case size > set.large:
		return set.secondary
	}
	return 0
}

// disrupt moves the zones on to the states that the census tells of. It reports
// whether now no node of the cluster is ready, and was not before: then no node
// drives Pods away any more, for the fault may well be on this side.
func (m *zoneMemory) disrupt(now time.Time, set settings, zones map[string]*census) (untaint bool) {
	allAre, allWere := true, true
	states := map[string]byte{}
	for name, zone := range zones {
		if zone.size() == 0 {
			continue
		}
		states[name] = zone.state(set)
		allAre = allAre && states[name] == stateFull
		was := m.zone(name, set) // a zone that is new is known from now on
		allWere = allWere && was.state == stateFull
	}
	switch {
	case len(states) == 0 || allAre && allWere:
		return false
	case allAre:
		for name := range states {
			z := m.zones[name]
			z.state = stateFull
			z.limit(0, now)
		}
		return true
	case allWere:
		m.resumed = now
	}
	for name, state := range states {
		z := m.zones[name]
		z.state = state
		z.limit(rateIn(state, zones[name].size(), set), now)
	}
	return false
}

// encode leaves zones out where there are too many for a memo: those come last
// that are as new ones would be.
func (m *zoneMemory) encode(now time.Time, set settings) []byte {
	names := m.names()
	b := binary.AppendVarint(nil, nanos(m.resumed))
	for _, plain := range []bool{false, true} {
		for _, name := range names {
			z, fits := m.zones[name], len(b)
			if z.plain(now, set) != plain {
				continue
			}
			b = binary.AppendUvarint(b, uint64(len(name)))
			b = append(append(b, name...), z.state)
			b = binary.AppendUvarint(b, math.Float64bits(z.rate))
			b = binary.AppendVarint(b, nanos(z.next))
			if len(b) > abi.MaxMemo {
				return b[:fits]
			}
		}
	}
	return b
}

// plain reports whether a zone is as a new one would be.
func (z *pace) plain(now time.Time, set settings) bool {
	return z.state <= stateNormal && z.rate == set.rate && !now.Before(z.next)
}

// names is the zones in order. The generic way to a map's keys would have the
// linker keep all methods of what its values hold: those of time.Time are 60 KB.
func (m *zoneMemory) names() []string {
	out := make([]string, 0, len(m.zones))
	for name := range m.zones {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func decodeZones(b []byte) zoneMemory {
	m := zoneMemory{zones: map[string]*pace{}}
	resumed, b := varint(b)
	m.resumed = moment(resumed)
	for len(b) > 0 {
		n, width := binary.Uvarint(b)
		if width <= 0 || uint64(len(b)-width) <= n { //nolint:gosec // not less than zero
			return m
		}
		name, rest := string(b[width:width+int(n)]), b[width+int(n):] //nolint:gosec // no longer than the memo
		rate, width := binary.Uvarint(rest[1:])
		next, left := varint(rest[1+max(width, 0):])
		m.zones[name] = &pace{state: rest[0], rate: math.Float64frombits(rate), next: moment(next)}
		b = left
	}
	return m
}
