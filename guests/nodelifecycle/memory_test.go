//go:build !wasip1

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
