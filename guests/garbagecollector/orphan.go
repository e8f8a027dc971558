package main

import (
	"errors"
	"slices"
	"strings"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/meta"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// orphan takes the references to an object off all its dependents, and then lets
// it go.
func orphan(r *sdk.Reconcile, o object) error {
	done := decodeOrphaned(decodeStep(r.Continuation()), r.Results())
	deps, err := dependents(r, o, false)
	if err != nil {
		return err
	}
	batch := r.Batch(sdk.Parallel)
	var uids []string
	for _, d := range deps {
		uid := d.UID()
		switch fate, tried := done.fates[uid]; {
		case !tried:
			batch.Patch(d.kind, d.Namespace(), d.Name(), sdk.StrategicPatch, meta.DisownPatch(uid, o.UID())).Tolerate(sdk.NotFound)
		case fate == fateMerge:
			rest := slices.DeleteFunc(d.owners(), func(ref metav1.OwnerReference) bool { return ref.UID() == o.UID() })
			batch.Patch(d.kind, d.Namespace(), d.Name(), sdk.MergePatch, meta.OwnersMergePatch(d.ResourceVersion(), rest...)).Tolerate(sdk.NotFound)
		default:
			continue
		}
		uids = append(uids, uid)
	}
	if len(done.failures) > 0 {
		return errors.New("cannot orphan the dependents of " + o.String() + ": " + strings.Join(done.failures, "; "))
	}
	if len(uids) > 0 {
		r.Continue(step{kind: stepOrphan, rest: done.encode(uids)}.encode())
		return nil
	}
	return release(r, o, finalizerOrphan)
}

// orphaned is what became of the dependents so far, by UID.
type orphaned struct {
	fates    map[string]fate
	failures []string
}

type fate byte

const (
	fateDone  fate = 'd' // orphaned, gone or failed: not to be patched again
	fateMerge fate = 'm' // takes no strategic patch
	fateTried fate = 't' // in the results
)

// encode adds dependents that are patched now to those of before.
func (s orphaned) encode(tried []string) []byte {
	var b []byte
	for _, uid := range tried {
		b = append(append(append(b, byte(fateTried)), uid...), '\n')
	}
	for uid, f := range s.fates {
		if f == fateDone {
			b = append(append(append(b, byte(f)), uid...), '\n')
		}
	}
	return b
}

// decodeOrphaned reads what an earlier call left, and what became of its actions,
// which are in the same order.
func decodeOrphaned(s step, results []sdk.Result) orphaned {
	out := orphaned{fates: map[string]fate{}}
	if s.kind != stepOrphan {
		return out
	}
	for line := range strings.Lines(string(s.rest)) {
		f, uid := fate(line[0]), strings.TrimSuffix(line[1:], "\n")
		if f == fateTried && len(results) > 0 {
			f = out.fateOf(&results[0])
			results = results[1:]
		}
		out.fates[uid] = f
	}
	return out
}

func (s *orphaned) fateOf(result *sdk.Result) fate {
	switch {
	case !result.Failed():
	case result.Code == unsupportedMediaType:
		return fateMerge
	default:
		s.failures = append(s.failures, result.Err().Error())
	}
	return fateDone
}
