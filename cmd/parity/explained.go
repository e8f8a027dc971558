package main

import (
	_ "embed"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

//go:embed explained.yaml
var explainedYAML []byte

// An explanation says why a scenario may differ in something.
type explanation struct {
	Scenario   string `json:"scenario"`
	Difference string `json:"difference"`
	Reason     string `json:"reason"`
}

func explanations(data []byte) ([]explanation, error) {
	var out []explanation
	if err := yaml.UnmarshalStrict(data, &out); err != nil {
		return nil, fmt.Errorf("cannot read the explained differences: %w", err)
	}
	for _, e := range out {
		if e.Scenario == "" || e.Difference == "" || e.Reason == "" {
			return nil, fmt.Errorf("an explained difference names a scenario, a difference and a reason; %+v does not", e)
		}
	}
	return out, nil
}

// unexplained leaves out the differences of a scenario that are explained.
func unexplained(table []explanation, scenario string, differences []string) []string {
	var out []string
	for _, d := range differences {
		found := false
		for _, e := range table {
			found = found || (e.Scenario == scenario && strings.HasPrefix(d, e.Difference))
		}
		if !found {
			out = append(out, d)
		}
	}
	return out
}
