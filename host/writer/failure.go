package writer

import (
	"context"
	"errors"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/policy"
)

// The host's own reasons of failure. The others are the API's.
const (
	reasonDenied      = "Denied"
	reasonInvalid     = "Invalid"
	reasonLeaseLost   = "LeaseLost"
	reasonUnsupported = "Unsupported"
)

// failed is an action that was not performed.
func failed(reason string, err error) done {
	return done{result: abi.Result{Outcome: abi.OutcomeFailed, Reason: reason, Message: err.Error()}, err: err}
}

// failure is an action that was not performed, for a reason that the error tells.
func failure(err error) done {
	d := failed(string(metav1.StatusReasonServiceUnavailable), err)
	var denied *policy.DeniedError
	var fenced *FencedError
	var status apierrors.APIStatus
	switch {
	case errors.As(err, &denied):
		d.result.Reason = reasonDenied
	case errors.As(err, &fenced):
		d.result.Reason = reasonLeaseLost
	case errors.Is(err, errPath), errors.Is(err, errInvalid):
		d.result.Reason = reasonInvalid
	case apimeta.IsNoMatchError(err):
		d.result.Reason, d.result.Code = string(metav1.StatusReasonNotFound), http.StatusNotFound
	case errors.As(err, &status):
		setStatus(&d.result, status.Status())
	}
	return d
}

func setStatus(r *abi.Result, s metav1.Status) {
	r.Reason, r.Message, r.Code = string(s.Reason), s.Message, s.Code
	if s.Details == nil {
		return
	}
	for _, c := range s.Details.Causes {
		r.Causes = append(r.Causes, abi.Cause{Reason: string(c.Type), Message: c.Message, Field: c.Field})
	}
}

// lost reports whether a request that ended in err may have been performed.
func lost(f *flight, err error) bool {
	if f.begun.Load() == 0 {
		return false
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return true // no answer, or not all of it
	}
	return status.Status().Code >= http.StatusInternalServerError
}

// tolerate turns a failure into success that the action puts up with. Only
// answers of the API server can be put up with.
func tolerate(a *abi.Action, d done) done {
	if d.err != nil && d.result.Outcome == abi.OutcomeFailed && d.result.Code != 0 && slices.Contains(a.Tolerates, d.result.Reason) {
		d.err, d.result.Outcome = nil, abi.OutcomeOK
	}
	return d
}

// fate decides over a request that ended in an error: failed for sure, or to be
// looked into.
func (w *Writer) fate(ctx context.Context, t *task, f *flight, err error) done {
	if !lost(f, err) || t.action.DryRun {
		return failure(err)
	}
	return w.lookInto(ctx, t, err)
}
