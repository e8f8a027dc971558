//go:build !wasip1

package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMemoryRoundTrip(t *testing.T) {
	for _, m := range []memory{
		{},
		{known: true, pods: map[uint32]bool{}},
		{known: true, hinted: true, service: 1767225600, floor: 7, pods: map[uint32]bool{1: true, 1 << 31: true}},
	} {
		if diff := cmp.Diff(m, decodeMemory(m.encode()), cmp.AllowUnexported(memory{})); diff != "" {
			t.Errorf("a memory comes back as another one (-want +got):\n%s", diff)
		}
	}
}

func FuzzDecodeMemory(f *testing.F) {
	f.Add([]byte(nil))
	f.Add((&memory{known: true, service: 1767225600, pods: map[uint32]bool{7: true}}).encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		m := decodeMemory(b)
		if diff := cmp.Diff(m, decodeMemory(m.encode()), cmp.AllowUnexported(memory{})); diff != "" {
			t.Errorf("a memory comes back as another one (-want +got):\n%s", diff)
		}
	})
}
