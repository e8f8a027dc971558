package sdktest

import "github.com/loopdock/loopdock/abi"

// perform does a response's batches as the host does, and gives the results of
// all actions in order.
func (h *host) perform(resp *abi.Response) []abi.Result {
	var results []abi.Result
	failed := false
	for i := range resp.Batches {
		b := &resp.Batches[i]
		stop := failed && !b.Always
		for from, round := 0, 1; from < len(b.Actions); round *= 2 {
			to := len(b.Actions)
			switch b.Mode {
			case abi.BatchModeSequential:
				to = from + 1
			case abi.BatchModeSlowStart:
				to = min(from+round, to)
			default:
			}
			roundFailed := false
			for j := from; j < to; j++ {
				result := h.step(&b.Actions[j], stop, results)
				results = append(results, result)
				roundFailed = roundFailed || isFailure(&result)
			}
			failed = failed || roundFailed
			stop = stop || roundFailed
			from = to
		}
	}
	return results
}

// step does one action, unless something before it went wrong.
func (h *host) step(a *abi.Action, stop bool, results []abi.Result) abi.Result {
	result := abi.Result{Outcome: abi.OutcomeSkipped}
	if !stop && dependencyHolds(a, results) {
		result = h.act(a, results)
	}
	h.run.Done = append(h.run.Done, Done{Action: *a, Result: result})
	return result
}

func isFailure(r *abi.Result) bool {
	return r.Outcome == abi.OutcomeFailed || r.Outcome == abi.OutcomeUnknown
}

func dependencyHolds(a *abi.Action, results []abi.Result) bool {
	if a.DependsOn == 0 {
		return true
	}
	r := &results[a.DependsOn-1]
	return r.Outcome == abi.OutcomeOK || r.Outcome == abi.OutcomeUnchanged
}
