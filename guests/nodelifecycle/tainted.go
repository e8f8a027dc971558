package main

import (
	"encoding/binary"
	"time"

	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// tainted is a taint that drives Pods away, and when this host first saw it.
type tainted struct {
	key, value string
	since      time.Time
}

// observeTaints is the node's taints of that effect; what was there before keeps
// its time.
func observeTaints(n *node, had []tainted, now time.Time) []tainted {
	var out []tainted
	for t := range n.spec.Taints() {
		if t.Effect() != corev1.TaintEffectNoExecute {
			continue
		}
		is := tainted{t.Key(), t.Value(), now}
		for _, h := range had {
			if h.key == is.key && h.value == is.value {
				is.since = h.since
			}
		}
		out = append(out, is)
	}
	return out
}

func encodeSince(taints []tainted) []byte {
	var b []byte
	for _, t := range taints {
		b = binary.AppendVarint(b, nanos(t.since))
		b = append(append(b, t.key...), '=')
		b = append(append(b, t.value...), '\n')
	}
	return b
}

func decodeSince(b []byte) []tainted {
	var out []tainted
	for len(b) > 0 {
		var since int64
		since, b = varint(b)
		equals, end := -1, -1
		for i, c := range b {
			if c == '=' && equals < 0 {
				equals = i
			}
			if c == '\n' {
				end = i
				break
			}
		}
		if equals < 0 || end < equals {
			return out
		}
		out = append(out, tainted{string(b[:equals]), string(b[equals+1 : end]), moment(since)})
		b = b[end+1:]
	}
	return out
}
