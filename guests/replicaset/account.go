package main

import (
	"errors"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// Reasons of Events; those of failures are reasons of the condition, too.
const (
	reasonCreated      = "SuccessfulCreate"
	reasonDeleted      = "SuccessfulDelete"
	reasonFailedCreate = "FailedCreate"
	reasonFailedDelete = "FailedDelete"
)

// scaled is what became of a scale.
type scaled struct {
	// err is the first failure, and reason says of what.
	err    error
	reason string
	// progress says that some Pods were created or deleted.
	progress bool
}

// account tells by Events what became of each Pod, and sums it up.
func account(r *sdk.Reconcile, done step) scaled {
	events := r.Batch(sdk.Parallel)
	if len(done.deleting) > 0 {
		return accountDeletes(events, done.deleting, r.Results())
	}
	return accountCreates(events, r.Results())
}

func accountCreates(events *sdk.Batch, results []sdk.Result) scaled {
	out := scaled{reason: reasonFailedCreate}
	for i := range results {
		result := &results[i]
		if result.OK() {
			out.progress = true
			events.Event(sdk.Normal, reasonCreated, "Created pod: "+result.Name)
			continue
		}
		// In a namespace that is being terminated all creates fail, and
		// neither retrying nor telling is of use.
		if err := result.Err(); err != nil && !result.HasCause(corev1.NamespaceTerminatingCause) {
			events.Event(sdk.Warning, reasonFailedCreate, "Error creating: "+err.Error())
			out.fail(err)
		}
	}
	return out
}

func accountDeletes(events *sdk.Batch, names []string, results []sdk.Result) scaled {
	out := scaled{reason: reasonFailedDelete}
	for i := range min(len(names), len(results)) {
		result := &results[i]
		if result.OK() {
			out.progress = true
			events.Event(sdk.Normal, reasonDeleted, "Deleted pod: "+names[i])
			continue
		}
		// A Pod that is gone already was not deleted here.
		if err := result.Err(); err != nil && result.Reason != sdk.NotFound {
			events.Event(sdk.Warning, reasonFailedDelete, "Error deleting: "+err.Error())
			out.fail(errors.New("unable to delete pods: " + err.Error()))
		}
	}
	return out
}

func (s *scaled) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}
