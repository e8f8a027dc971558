package writer

import (
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/loopdock/loopdock/abi"
)

// metrics count the actions of one controller.
type metrics struct {
	actions    *prometheus.CounterVec
	controller string
}

func newMetrics(reg prometheus.Registerer, controller string) (*metrics, error) {
	m := &metrics{controller: controller, actions: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "loopdock_actions_total",
		Help: "Actions that guests asked for, by what became of them.",
	}, []string{"controller", "kind", "verb", "outcome"})}
	if reg == nil {
		return m, nil
	}
	err := reg.Register(m.actions)
	if before, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if existing, ok := before.ExistingCollector.(*prometheus.CounterVec); ok {
			m.actions, err = existing, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot register the metrics of the writer: %w", err)
	}
	return m, nil
}

// count counts an action. A kind that the guest may not touch, or made up, makes
// no series of its own.
func (m *metrics) count(a *abi.Action, o abi.Outcome, reason string) {
	kind := ""
	if a.Kind != nil {
		kind = a.Kind.Kind
	}
	switch {
	case a.Verb == abi.VerbEvent:
		kind = "Event"
	case reason == reasonDenied, reason == reasonInvalid, o == abi.OutcomeSkipped:
		kind = "other"
	}
	m.actions.WithLabelValues(m.controller, kind, verbName(a.Verb), outcomeName(o)).Inc()
}

func outcomeName(o abi.Outcome) string {
	names := [...]string{"unspecified", "ok", "failed", "skipped", "unknown", "unchanged"}
	if int(o) < len(names) {
		return names[o]
	}
	return "unspecified"
}
