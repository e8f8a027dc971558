package conformance

import (
	"strings"

	"github.com/loopdock/loopdock/abi"
)

// manifest is what a conformance guest describes, but for its version and SDK.
func manifest() *abi.Manifest {
	name := abi.FieldPath{Numbers: []uint32{1, 1}, Name: "metadata.name"}
	labels := abi.FieldPath{Numbers: []uint32{1, 11}, Name: "metadata.labels", MapKey: "app"}
	maps := &abi.Kind{APIVersion: "v1", Kind: "ConfigMap"}
	return &abi.Manifest{
		Name: "conformance",
		Controllers: []abi.Controller{
			{
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
				Metrics: []abi.Metric{{
					Name: "seconds", Help: "Time.", Type: abi.MetricTypeHistogram, Labels: []string{"step"}, Buckets: []float64{0.5, 1},
				}},
				Concurrency: 2, MemoSchema: 1,
			},
			{
				Name: "conformance-virtual",
				Virtual: &abi.VirtualKeys{
					Singleton: true,
					Mappings:  []abi.KeyMapping{{Kind: &abi.Kind{APIVersion: "v1", Kind: "Namespace"}, Rule: abi.KeyRuleNamespace}},
				},
			},
		},
	}
}

// checkManifest: the manifest arrives whole. While a module describes itself it can't
// read, and chance is the same each time: its version tells.
func checkManifest(b *bench) {
	got := *b.guest.Manifest()
	if !strings.HasPrefix(got.Version, "read-3-") {
		b.Errorf("in describe, read gave what the version tells: %q", got.Version)
	}
	if other := b.dock().Manifest().Version; other != got.Version {
		b.Errorf("docked twice, the module sees different random numbers: %q and %q", got.Version, other)
	}
	got.Version, got.SDK = "", ""
	b.equal(manifest(), &got)
}
