package main

import "testing"

func TestFakeNode(t *testing.T) {
	seen := map[string]bool{}
	zonesSeen := map[string]bool{}
	for i := range 300 {
		node := fakeNode(i)
		ip := node.Status.Addresses[0].Address
		if seen[ip] {
			t.Fatalf("%s has the address of another: %s", node.Name, ip)
		}
		seen[ip] = true
		zonesSeen[node.Labels["topology.kubernetes.io/zone"]] = true
		if node.Labels["kubernetes.io/hostname"] != node.Name {
			t.Fatalf("%s has the host name %s", node.Name, node.Labels["kubernetes.io/hostname"])
		}
	}
	if len(zonesSeen) != zones {
		t.Errorf("the nodes are in %d zones, want %d", len(zonesSeen), zones)
	}
	if !seen["10.64.0.1"] || !seen["10.64.1.0"] {
		t.Error("the addresses do not count on from the first")
	}
}
