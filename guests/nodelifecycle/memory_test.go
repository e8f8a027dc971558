//go:build !wasip1

package main

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/abi"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 5, time.UTC)

func TestMemoriesRoundTrip(t *testing.T) {
	for _, m := range []memory{{}, {uid: "u", heartbeat: "h\nh", heard: noon, judged: noon.Add(time.Second)}} {
		if diff := cmp.Diff(m, decodeMemory(m.encode()), exported); diff != "" {
			t.Errorf("the memory of a node comes back as another one (-want +got):\n%s", diff)
		}
	}
	zones := zoneMemory{resumed: noon, zones: map[string]*pace{"": {}, "r:z": {state: statePartial, rate: 0.01, next: noon}}}
	if diff := cmp.Diff(zones, decodeZones(zones.encode(noon, settings{rate: 0.1})), exported); diff != "" {
		t.Errorf("the memory of the zones comes back as another one (-want +got):\n%s", diff)
	}
	taints := []tainted{{"key", "value", noon}, {"other", "a=b", noon}}
	if diff := cmp.Diff(taints, decodeSince(encodeSince(taints)), exported); diff != "" {
		t.Errorf("the memory of taints comes back as another one (-want +got):\n%s", diff)
	}
}

var exported = cmp.AllowUnexported(memory{}, zoneMemory{}, pace{}, tainted{})

func FuzzDecodeMemories(f *testing.F) {
	f.Add((&memory{uid: "u", heartbeat: "h", heard: noon}).encode())
	f.Add((&zoneMemory{resumed: noon, zones: map[string]*pace{"r:z": {state: stateFull, rate: 0.1, next: noon}}}).encode(noon, settings{rate: 0.1}))
	f.Add(encodeSince([]tainted{{"key", "value", noon}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := decodeMemory(b)
		if diff := cmp.Diff(m, decodeMemory(m.encode()), exported); diff != "" {
			t.Errorf("the memory of a node comes back as another one (-want +got):\n%s", diff)
		}
		decodeZones(b)
		taints := decodeSince(b)
		if diff := cmp.Diff(taints, decodeSince(encodeSince(taints)), exported); diff != "" {
			t.Errorf("the memory of taints comes back as another one (-want +got):\n%s", diff)
		}
	})
}

// TestTooManyZones: those are remembered that are disturbed.
func TestTooManyZones(t *testing.T) {
	set := settings{rate: 0.1}
	m := zoneMemory{zones: map[string]*pace{}}
	for i := range 1000 {
		m.zones["region:zone-"+strconv.Itoa(i)] = &pace{state: stateNormal, rate: set.rate}
	}
	m.zones["region:zone-999"].state = stateFull
	m.zones["region:zone-998"].next = noon.Add(time.Second)
	m.zones["region:zone-997"].rate = 0.01
	b := m.encode(noon, set)
	if len(b) > abi.MaxMemo || len(b) < abi.MaxMemo*9/10 {
		t.Errorf("the memo has %d bytes", len(b))
	}
	back := decodeZones(b)
	for _, name := range []string{"region:zone-997", "region:zone-998", "region:zone-999"} {
		if diff := cmp.Diff(m.zones[name], back.zones[name], exported); diff != "" {
			t.Errorf("%s comes back as another one (-want +got):\n%s", name, diff)
		}
	}
}
