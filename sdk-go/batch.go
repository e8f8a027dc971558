package sdk

import "github.com/loopdock/loopdock/abi"

// Mode is how the actions of a batch are performed.
type Mode = abi.BatchMode

// Modes of a batch.
const (
	// Sequential is one after the other, stopping at the first failure.
	Sequential = abi.BatchModeSequential
	// Parallel is all at once; a failure does not stop the others.
	Parallel = abi.BatchModeParallel
	// SlowStart is 1, 2, 4, 8 ... at once, stopping after a round in which one
	// failed: many creates that would all fail alike end after the first.
	SlowStart = abi.BatchModeSlowStart
)

// Batch is a group of actions that are performed together. Batches are
// performed in the order in which they were made; after a failure in one, the
// later ones are skipped.
type Batch struct {
	r       *Reconcile
	mode    Mode
	always  bool
	actions []*Action
}

// Batch starts a batch.
func (r *Reconcile) Batch(mode Mode) *Batch {
	b := &Batch{r: r, mode: mode}
	r.batches = append(r.batches, b)
	r.open = nil
	return b
}

// Always has the batch performed also where an earlier one failed.
func (b *Batch) Always() *Batch {
	b.always = true
	return b
}

// sequence is the batch that the Reconcile's own verbs go to: the last one, if
// it is theirs, else a new one.
func (r *Reconcile) sequence() *Batch {
	if r.open == nil {
		open := r.Batch(Sequential)
		r.open = open
	}
	return r.open
}

// encode numbers the actions and gives the batches that are not empty.
func (r *Reconcile) encode() []abi.Batch {
	number := map[*Action]uint32{}
	var out []abi.Batch
	for _, b := range r.batches {
		if len(b.actions) == 0 {
			continue
		}
		batch := abi.Batch{Mode: b.mode, Always: b.always, Actions: make([]abi.Action, len(b.actions))}
		for i, a := range b.actions {
			if a.after != nil {
				n, earlier := number[a.after]
				if !earlier {
					panic("sdk: an action depends on one that is performed later")
				}
				a.DependsOn = n
			}
			number[a] = uint32(len(number) + 1) //nolint:gosec // a count of actions
			batch.Actions[i] = a.Action
		}
		out = append(out, batch)
	}
	return out
}
