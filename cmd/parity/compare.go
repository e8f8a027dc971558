package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// compareDocs tells, a line each, in what two runs' objects differ. Objects of
// the same key are told apart by their content: those that are equal pair off,
// the rest are compared in order.
func compareDocs(ours, peer []doc) []string {
	byKey := map[string]*[2][]doc{}
	for i, docs := range [][]doc{ours, peer} {
		for _, d := range docs {
			if byKey[d.key] == nil {
				byKey[d.key] = &[2][]doc{}
			}
			byKey[d.key][i] = append(byKey[d.key][i], d)
		}
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		a, b := pairOff(byKey[key][0], byKey[key][1])
		for i := range max(len(a), len(b)) {
			switch {
			case i >= len(b):
				out = append(out, key+": only ours has it")
			case i >= len(a):
				out = append(out, key+": only the peer has it")
			default:
				out = append(out, differences(key+":", a[i].object, b[i].object)...)
			}
		}
	}
	return out
}

// pairOff leaves out what is equal on both sides.
func pairOff(a, b []doc) (restA, restB []doc) {
	restB = slices.Clone(b)
	for _, d := range a {
		i := slices.IndexFunc(restB, func(o doc) bool { return reflect.DeepEqual(d.object, o.object) })
		if i < 0 {
			restA = append(restA, d)
			continue
		}
		restB = slices.Delete(restB, i, i+1)
	}
	return restA, restB
}

// differences tells, a line each, in which fields two values differ.
func differences(path string, a, b any) []string {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			break
		}
		var out []string
		keys := maps.Clone(x)
		maps.Copy(keys, y)
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			out = append(out, differences(join(path, k), x[k], y[k])...)
		}
		return out
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			break
		}
		var out []string
		for i := range x {
			out = append(out, differences(fmt.Sprintf("%s[%d]", path, i), x[i], y[i])...)
		}
		return out
	}
	if reflect.DeepEqual(a, b) {
		return nil
	}
	return []string{fmt.Sprintf("%s ours %s, peer %s", path, short(a), short(b))}
}

func join(path, key string) string {
	if strings.HasSuffix(path, ":") {
		return path + " " + key
	}
	return path + "." + key
}

// short is a value for people.
func short(v any) string {
	if v == nil {
		return "nothing"
	}
	const longest = 160
	s := text(v)
	if len(s) > longest {
		return s[:longest] + "..."
	}
	return s
}

// compareEvents tells which Events differ in number.
func compareEvents(ours, peer map[string]int) []string {
	var out []string
	keys := maps.Clone(ours)
	maps.Copy(keys, peer)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if ours[k] != peer[k] {
			out = append(out, fmt.Sprintf("Event %s: ours %d, peer %d", k, ours[k], peer[k]))
		}
	}
	return out
}

// compareWrites judges the numbers of writes of some rounds. Creations and
// deletions must be as many as the peer made in one of its rounds, where ours
// need not delete again what is being deleted because the peer did; of the
// others ours may be fewer, and not more in every round than the peer in any.
func compareWrites(rounds []round) []string {
	keys := map[string]int{}
	for _, r := range rounds {
		maps.Copy(keys, r.ours)
		maps.Copy(keys, r.peer)
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		resource, verb, _ := strings.Cut(k, " ")
		if resource == "events" {
			continue // they are compared by what they say
		}
		ours, peer := span(rounds, round.ourWrites, k), span(rounds, round.peerWrites, k)
		exact := verb == "create" || verb == "delete" || verb == "deletecollection"
		least := span(rounds, round.peerLeast, k)[0]
		if ours[0] > peer[1] || (exact && (ours[0] < least || ours[1] > peer[1])) {
			out = append(out, fmt.Sprintf("writes %s: ours %s, peer %s, in rounds: %d", k, ours, peer, len(rounds)))
		}
	}
	return out
}

// A round is what both sides wrote when a scenario was played once.
type round struct {
	ours, peer map[string]int
	peerOnce   map[string]int // peer without deletions of what it had deleted already
}

func (r round) ourWrites(k string) int  { return r.ours[k] }
func (r round) peerWrites(k string) int { return r.peer[k] }
func (r round) peerLeast(k string) int  { return r.peerOnce[k] }

// extent is the least and the most of some rounds.
type extent [2]int

func span(rounds []round, of func(round, string) int, k string) extent {
	out := extent{of(rounds[0], k), of(rounds[0], k)}
	for _, r := range rounds[1:] {
		out = extent{min(out[0], of(r, k)), max(out[1], of(r, k))}
	}
	return out
}

// String is such as "3" or "3-5".
func (e extent) String() string {
	if e[0] == e[1] {
		return strconv.Itoa(e[0])
	}
	return fmt.Sprintf("%d-%d", e[0], e[1])
}
