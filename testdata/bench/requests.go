package main

import (
	"context"
	"fmt"
	"slices"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// writeVerbs are the verbs of requests that change something.
var writeVerbs = []string{"POST", "PUT", "PATCH", "APPLY", "DELETE", "DELETECOLLECTION"}

// requests counts those that the API server has answered for the resources: the
// writes, or all but watches.
func (s *side) requests(ctx context.Context, writes bool, resources ...string) (float64, error) {
	body, err := s.client.CoreV1().RESTClient().Get().AbsPath("/metrics").Stream(ctx)
	if err != nil {
		return 0, fmt.Errorf("cannot count requests: %w", err)
	}
	defer body.Close() //nolint:errcheck // read to its end
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(body)
	if err != nil {
		return 0, fmt.Errorf("cannot count requests: %w", err)
	}
	family := families["apiserver_request_total"]
	if family == nil {
		return 0, fmt.Errorf("cannot count requests: the API server does not")
	}
	total := 0.0
	for _, m := range family.Metric {
		verb := label(m, "verb")
		if slices.Contains(resources, label(m, "resource")) && verb != "WATCH" && (!writes || slices.Contains(writeVerbs, verb)) {
			total += m.GetCounter().GetValue()
		}
	}
	return total, nil
}

func label(m *dto.Metric, name string) string {
	for _, l := range m.Label {
		if l.GetName() == name {
			return l.GetValue()
		}
	}
	return ""
}
