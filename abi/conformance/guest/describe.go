package main

import "github.com/loopdock/loopdock/abi"

// describe is the export of that name. The module's version tells what read gave
// here, where nothing can be read, and eight random bytes.
func describe() []byte {
	code := importRead(0, 0, 0, 0)
	chance := keep(make([]byte, 8))
	randomGet(at(chance), 8)
	version := []byte("read" + decimal(int64(code)) + "-")
	for _, b := range chance {
		version = append(version, "0123456789abcdef"[b>>4], "0123456789abcdef"[b&15])
	}
	return (&abi.Manifest{Name: "conformance", Version: string(version), SDK: "none", Controllers: []abi.Controller{primary(), virtual()}}).Append(nil)
}

// primary is a controller that declares as much as can be without optional features.
func primary() abi.Controller {
	name := abi.FieldPath{Numbers: []uint32{1, 1}, Name: "metadata.name"}
	labels := abi.FieldPath{Numbers: []uint32{1, 11}, Name: "metadata.labels", MapKey: "app"}
	maps := &abi.Kind{APIVersion: "v1", Kind: "ConfigMap"}
	return abi.Controller{
		Name: "conformance",
		Primary: &abi.PrimaryKeys{
			Kind: maps, Namespaces: []string{"default"}, Selector: "app=conformance",
			Wakes: []abi.FieldPath{labels}, Observed: []abi.FieldPath{name}, Encoding: abi.EncodingProtobuf,
		},
		Reads: []abi.KindRead{{
			Kind: &abi.Kind{APIVersion: "v1", Kind: "Pod"}, Observed: []abi.FieldPath{name},
			Indexes: []abi.Index{{Name: "node", Path: &abi.FieldPath{Numbers: []uint32{2, 10}, Name: "spec.nodeName"}}},
			Live:    true, WakeDependents: abi.WakeDependentsDeleted, Encoding: abi.EncodingJSON,
		}},
		Access:       []abi.Access{{Kind: maps, Verbs: []string{"create", "patch"}, Namespaces: []string{"default"}}},
		ConfigSchema: []byte(`{"type":"object"}`),
		Metrics:      []abi.Metric{{Name: "seconds", Help: "Time.", Type: abi.MetricTypeHistogram, Labels: []string{"step"}, Buckets: []float64{0.5, 1}}},
		Concurrency:  2, MemoSchema: 1,
	}
}

// virtual is one whose keys are no objects.
func virtual() abi.Controller {
	return abi.Controller{Name: "conformance-virtual", Virtual: &abi.VirtualKeys{
		Singleton: true,
		Mappings:  []abi.KeyMapping{{Kind: &abi.Kind{APIVersion: "v1", Kind: "Namespace"}, Rule: abi.KeyRuleNamespace}},
	}}
}

// decimal writes a number without the weight of a library.
func decimal(n int64) string {
	switch {
	case n < 0:
		return "-" + decimal(-n)
	case n < 10:
		return string(rune('0' + n))
	default:
		return decimal(n/10) + string(rune('0'+n%10))
	}
}
