package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A result is what came of a scenario.
type result struct {
	name        string
	differences []string           // of the last round's objects and Events
	ended       [2]map[string]bool // how each side's rounds ended
	rounds      []round
	verdict     string
	unexplained []string
	docs        [2][]doc
}

const (
	verdictSame      = "same"
	verdictExplained = "explained"
	verdictDiffers   = "differs"
)

// compare notes in what a round's ends differ. A step that one side did not get
// through is a difference, and one that neither did is a fault of the scenario.
func (res *result) compare(c *controller, shots [2]*snapshot, faults [2]error) {
	res.differences = nil
	for i, who := range []string{"ours", "peer"} {
		if faults[i] != nil {
			res.differences = append(res.differences, who+" stopped at "+faults[i].Error())
		}
		res.docs[i] = normalize(shots[i])
	}
	res.differences = append(res.differences, compareDocs(res.docs[0], res.docs[1])...)
	res.differences = append(res.differences, compareEvents(eventCounts(shots[0], c), eventCounts(shots[1], c))...)
}

// settled tells if another round is not needed: each of our rounds ended as one
// of the peer's did, and the numbers of writes are right.
func (res *result) settled() bool {
	return res.matched() && len(compareWrites(res.rounds)) == 0
}

// matched tells if each of our rounds ended as one of the peer's did.
func (res *result) matched() bool {
	for end := range res.ended[0] {
		if !res.ended[1][end] {
			return false
		}
	}
	return true
}

// note remembers how a round ended. One that stopped on the way matches nothing.
func (res *result) note(c *controller, shots [2]*snapshot, faults [2]error) {
	for i, s := range shots {
		if res.ended[i] == nil {
			res.ended[i] = map[string]bool{}
		}
		end := text(eventCounts(s, c))
		for _, d := range res.docs[i] {
			end += "\n" + text(d.object)
		}
		if faults[i] != nil {
			end = []string{"ours", "peer"}[i] + " stopped"
		}
		res.ended[i][end] = true
	}
}

// judge settles the verdict.
func (res *result) judge(table []explanation) {
	all := compareWrites(res.rounds)
	if !res.matched() {
		all = append(slices.Clone(res.differences), all...)
	}
	res.unexplained = unexplained(table, res.name, all)
	switch {
	case len(all) == 0:
		res.verdict = verdictSame
	case len(res.unexplained) == 0:
		res.verdict = verdictExplained
	default:
		res.verdict = verdictDiffers
	}
}

// writes sums the last round's.
func (res *result) writes() (ours, peer int) {
	last := res.rounds[len(res.rounds)-1]
	for _, n := range last.ours {
		ours += n
	}
	for _, n := range last.peer {
		peer += n
	}
	return ours, peer
}

// writesByKind is such as "pods create 3/3, replicasets/status update 2/3".
func (res *result) writesByKind() string {
	last := res.rounds[len(res.rounds)-1]
	keys := maps.Clone(last.ours)
	maps.Copy(keys, last.peer)
	var out []string
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		out = append(out, fmt.Sprintf("%s %d/%d", k, last.ours[k], last.peer[k]))
	}
	if len(res.rounds) > 1 {
		out = append(out, fmt.Sprintf("in round %d", len(res.rounds)))
	}
	return strings.Join(out, ", ")
}

// shownDifferences is how many differences of a scenario are printed without -v.
const shownDifferences = 8

// print prints a scenario's line, and in what it differs.
func (r *runner) print(res *result) {
	ours, peer := res.writes()
	fmt.Fprintf(r.out, "%-46s %-9s writes %d/%d  %s\n", res.name, res.verdict, ours, peer, res.writesByKind())
	for i, d := range res.unexplained {
		if i == shownDifferences && !r.o.verbose {
			fmt.Fprintf(r.out, "    and %d more (-v shows them)\n", len(res.unexplained)-i)
			break
		}
		fmt.Fprintf(r.out, "    %s\n", d)
	}
	if r.o.keep != "" && res.verdict != verdictSame {
		for i, who := range []string{"ours", "peer"} {
			if err := keepDocs(filepath.Join(r.dir, "objects", strings.ReplaceAll(res.name, "/", "-")+"."+who+".json"), res.docs[i]); err != nil {
				r.say("cannot keep what %s left: %v", who, err)
			}
		}
	}
}

// keepDocs writes objects to a file, a line each.
func keepDocs(path string, docs []doc) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	var b strings.Builder
	for _, d := range docs {
		b.WriteString(text(d.object) + "\n")
	}
	return os.WriteFile(path, []byte(b.String()), 0o600)
}

// summary prints the last line and tells if all is the same or explained.
func (r *runner) summary() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	same, ours, peer := 0, 0, 0
	for _, res := range r.results {
		if res.verdict != verdictDiffers {
			same++
		}
		o, p := res.writes()
		ours, peer = ours+o, peer+p
	}
	fmt.Fprintf(r.out, "PARITY same=%d of=%d writes_ours=%d writes_peer=%d\n", same, r.total, ours, peer)
	return same == r.total
}
