package main

import (
	"encoding/binary"
	"hash/fnv"
	"slices"
	"time"

	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// memory is what a key remembers from one reconcile to the next.
type memory struct {
	known   bool  // the Service was there
	hinted  bool  // its slices had hints of the topology
	service int64 // when it was created, in seconds
	// The Pods that were seen, each with when it became ready or ceased to be, as
	// hashes. There is room for the mostSeen latest of them: whatever happened at
	// floor or before has been seen.
	pods  map[uint32]bool
	floor int64
}

// mostSeen is how many Pods fit into a memo.
const mostSeen = 1000

// trigger is when the change happened that makes this reconcile necessary, as far
// as the objects tell; zero if they don't. What it was told of is remembered.
func (m *memory) trigger(s *service, pods []corev1.Pod) time.Time {
	type moment struct {
		at   int64
		hash uint32
	}
	first := int64(0)
	earliest := func(at int64) {
		if first == 0 || at < first {
			first = at
		}
	}
	seen := make([]moment, 0, len(pods))
	for _, pod := range pods {
		ready, ok := meta.PodReadyCondition(pod)
		if !ok || ready.LastTransitionTime().IsZero() {
			continue
		}
		is := moment{at: ready.LastTransitionTime().Unix()}
		is.hash = hashAt(pod.Metadata().Name(), is.at)
		seen = append(seen, is)
		if !m.pods[is.hash] && is.at > m.floor {
			earliest(is.at)
		}
	}
	created := s.meta.CreationTimestamp()
	if created.Unix() > m.service {
		earliest(created.Unix())
	}
	if !m.known {
		first = created.Unix()
	}
	*m = memory{known: true, hinted: m.hinted, service: created.Unix(), pods: map[uint32]bool{}}
	if len(seen) > mostSeen {
		slices.SortFunc(seen, func(a, b moment) int { return int(b.at - a.at) })
		m.floor, seen = seen[mostSeen].at, seen[:mostSeen]
	}
	for _, is := range seen {
		m.pods[is.hash] = true
	}
	if first == 0 {
		return time.Time{}
	}
	return time.Unix(first, 0).UTC()
}

func hashAt(name string, at int64) uint32 {
	h := fnv.New32a()
	_, _ = h.Write(binary.AppendVarint([]byte(name), at)) // which never fails
	return h.Sum32()
}

func (m *memory) encode() []byte {
	if !m.known {
		return nil
	}
	b := []byte{1}
	if m.hinted {
		b[0] = 2
	}
	b = binary.AppendVarint(b, m.service)
	b = binary.AppendVarint(b, m.floor)
	hashes := make([]uint32, 0, len(m.pods))
	for h := range m.pods {
		hashes = append(hashes, h)
	}
	slices.Sort(hashes)
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint32(b, h)
	}
	return b
}

func decodeMemory(b []byte) memory {
	if len(b) == 0 {
		return memory{}
	}
	m := memory{known: true, hinted: b[0] == 2, pods: map[uint32]bool{}}
	b = b[1:]
	for _, v := range []*int64{&m.service, &m.floor} {
		n, width := binary.Varint(b)
		if width <= 0 {
			return memory{}
		}
		*v, b = n, b[width:]
	}
	for ; len(b) >= 4; b = b[4:] {
		m.pods[binary.LittleEndian.Uint32(b)] = true
	}
	return m
}

// annotation is a trigger time as it stands in objects, empty for none.
func annotation(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format(time.RFC3339Nano)
}
