package loop

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/queue"
	"github.com/loopdock/loopdock/host/sandbox"
)

// GuestError is the error that a guest returned from reconcile.
type GuestError struct {
	Message string
	// Reason is that of the failed action or read which the guest gives as the
	// cause, empty for other errors.
	Reason string
}

// Error implements error.
func (e *GuestError) Error() string { return e.Message }

// settle does to the key what the ending of its reconcile asks for:
//
//	ending              queue                       back-off   memo and reads
//	goes on             again once writes are seen  kept
//	done                –                           forgotten  kept, dropped if the object is gone
//	done, requeue       after the given time        forgotten  kept
//	failed, trap        after the back-off          grows      kept
//	terminal error      –                           forgotten  kept
//	write unknown       after the back-off          grows      kept
func (c *Controller) settle(v *Version, k Key, e ending) {
	if len(e.unknown) > 0 {
		c.states.with(k, func(s *keyState) { s.unknown = e.unknown })
		if e.err == nil {
			e.err = errors.New("the answer to a write was lost")
		}
		e.terminal = false
	}
	switch {
	case e.err != nil && !e.terminal:
		c.failed(k, e.err)
	case e.err != nil:
		c.queue().Forget(k)
		c.metrics.result(c.Name, "error")
		c.metrics.terminal.WithLabelValues(c.Name).Inc()
		c.metrics.errors.WithLabelValues(c.Name).Inc()
		c.Logger.Error("reconcile failed for good; the key waits for the next change", "key", k.String(), "err", e.err.Error())
		c.status.failed(k, e.err)
	case e.again:
		c.queue().Add(k, queue.Normal)
	default:
		c.done(k, e)
	}
	c.endCall(k, e.writes)
	c.park(v, k, e.writes)
}

func (c *Controller) failed(k Key, err error) {
	c.remember(k, abi.Reason{Type: abi.ReasonTypeRetry})
	c.queue().Fail(k)
	c.metrics.result(c.Name, "error")
	c.metrics.errors.WithLabelValues(c.Name).Inc()
	switch trap := (*sandbox.TrapError)(nil); {
	case errors.As(err, &trap):
		c.Logger.Error("guest trapped", "key", k.String(), "err", err.Error(), "last_lines", trap.LastLines)
	case isConflict(err): // everyday: somebody else wrote in between
		c.Logger.Info("reconcile lost against another writer, and runs again", "key", k.String(), "attempt", c.queue().Attempt(k), "err", err.Error())
	default:
		c.Logger.Error("reconcile failed", "key", k.String(), "attempt", c.queue().Attempt(k), "err", err.Error())
	}
	c.status.failed(k, err)
}

// isConflict reports whether a write came too late, by the host's account or the
// guest's.
func isConflict(err error) bool {
	guest := (*GuestError)(nil)
	return apierrors.IsConflict(err) || errors.As(err, &guest) && guest.Reason == string(metav1.StatusReasonConflict)
}

func (c *Controller) done(k Key, e ending) {
	c.queue().Forget(k)
	c.status.succeeded()
	if e.requeue > 0 {
		c.metrics.result(c.Name, "requeue_after")
		c.remember(k, abi.Reason{Type: abi.ReasonTypeRequeue})
		c.queue().AddAfter(k, e.requeue)
		return
	}
	c.metrics.result(c.Name, "success")
	if e.gone {
		c.reads.Drop(k)
		c.states.with(k, func(s *keyState) { s.memo = nil })
	}
}
