package writer

import (
	"errors"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
)

// Longest texts of an Event that the API server takes.
const (
	longestReason  = 128
	longestMessage = 1024
)

// event hands an Event to the recorder. One that can't be recorded is told to the
// guest, and fails neither its batch nor the reconcile.
func (w *Writer) event(a *abi.Action) done {
	d := w.record(a)
	if d.err != nil {
		w.cfg.Logger.Warn("event not recorded", "controller", w.cfg.Controller, "err", d.err.Error())
		d.err = nil
	}
	return d
}

// record hands an Event to the recorder, which sends it when it can, and counts
// equal ones together. That is success: Events may get lost.
func (w *Writer) record(a *abi.Action) done {
	switch e := a.Event; {
	case w.cfg.Recorder == nil:
		return failed(reasonUnsupported, errors.New("this host records no events"))
	case e == nil || a.Kind == nil || a.Name == "":
		return failure(invalid("an event needs an object and a text"))
	case e.Type != corev1.EventTypeNormal && e.Type != corev1.EventTypeWarning:
		return failure(invalid("the type of an event is Normal or Warning, not %q", e.Type))
	case e.Reason == "":
		return failure(invalid("the event has no reason"))
	}
	about := &corev1.ObjectReference{
		APIVersion: a.Kind.APIVersion, Kind: a.Kind.Kind, Namespace: a.Namespace, Name: a.Name,
		UID: types.UID(a.UID), ResourceVersion: a.ResourceVersion,
	}
	if !a.DryRun {
		recorder := w.cfg.Recorder.WithLogger(logr.FromSlogHandler(w.cfg.Logger.Handler()))
		recorder.Event(about, a.Event.Type, cut(a.Event.Reason, longestReason), cut(a.Event.Message, longestMessage))
	}
	return done{result: abi.Result{Outcome: abi.OutcomeOK}}
}

// cut shortens a text to a number of bytes, between two characters.
func cut(s string, longest int) string {
	if len(s) <= longest {
		return s
	}
	const dots = "..."
	end := longest - len(dots)
	for end > 0 && s[end]&0xc0 == 0x80 {
		end--
	}
	return s[:end] + dots
}
