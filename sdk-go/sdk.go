package sdk

import "github.com/loopdock/loopdock/abi"

// version is what manifests name as the SDK they were built with.
const version = "sdk-go v0.1.0"

// Module is a guest module: one or several controllers that are shipped in one file.
type Module struct {
	// Name is a DNS label, for people and metrics.
	Name string
	// Version of the module, for people and metrics.
	Version string
	// Features names the optional features of the ABI that the module counts
	// on. A host that lacks one refuses to dock it.
	Features []string
	// Controllers are one or more.
	Controllers []Controller
}

// Controller is one reconcile loop. Exactly one of Primary, Virtual and
// Wildcard says where its keys come from.
type Controller struct {
	// Name is unique among all docked controllers: a DNS label.
	Name string
	// Primary makes a key of each object of a kind.
	Primary *Primary
	// Virtual makes keys that are not objects.
	Virtual *Virtual
	// Wildcard makes a key of each object of any kind that passes a filter.
	Wildcard *Wildcard
	// Reads declares every kind that is read, beside the primary one.
	Reads []Read
	// Access declares everything that is done to objects.
	Access []Access
	// Externals declares the external providers that are called.
	Externals []ExternalUse
	// Metrics declares the metrics that are reported.
	Metrics []Metric
	// ConfigSchema is the JSON schema of the configuration, empty if there is none.
	ConfigSchema []byte
	// Concurrency is how many keys are worked on at once, where the operator
	// says nothing. Zero means one.
	Concurrency int
	// MemoSchema is the format of the memo. A swap hands memos over to a module
	// with the same number and drops them otherwise.
	MemoSchema uint32
	// Reconcile makes what is into what should be, for one key.
	Reconcile func(*Reconcile) error
}

// What a manifest is made of: see the ABI for the fields.
type (
	// Kind names a type of API object.
	Kind = abi.Kind
	// FieldPath names a field of an object. Fields makes them from a view's paths.
	FieldPath = abi.FieldPath
	// Primary makes a key of each object of a kind.
	Primary = abi.PrimaryKeys
	// Virtual makes keys that are not objects.
	Virtual = abi.VirtualKeys
	// Mapping says which changes wake which virtual keys.
	Mapping = abi.KeyMapping
	// Wildcard makes a key of each object of any kind.
	Wildcard = abi.WildcardKeys
	// Filter says which objects of any kind make keys.
	Filter = abi.WildcardFilter
	// Read declares a kind that is read.
	Read = abi.KindRead
	// Index makes objects findable by the value of a field.
	Index = abi.Index
	// Access declares verbs on a kind.
	Access = abi.Access
	// Metric declares a metric.
	Metric = abi.Metric
	// ExternalUse declares operations of an external provider.
	ExternalUse = abi.ExternalUse
)

// registered is the module of this program, and its manifest.
var registered Module

// Register makes m this program's module. It is called once, from an init
// function of package main.
func Register(m Module) {
	switch {
	case registered.Name != "":
		panic("sdk: Register was called twice")
	case m.Name == "" || len(m.Controllers) == 0:
		panic("sdk: a module needs a name and a controller")
	}
	for i := range m.Controllers {
		if m.Controllers[i].Reconcile == nil {
			panic("sdk: controller " + m.Controllers[i].Name + " has no Reconcile")
		}
	}
	registered = m
}

// manifest is what the module says of itself.
func (m *Module) manifest() *abi.Manifest {
	out := &abi.Manifest{Name: m.Name, Version: m.Version, Features: m.Features, SDK: version}
	for i := range m.Controllers {
		c := &m.Controllers[i]
		out.Controllers = append(out.Controllers, abi.Controller{
			Name:         c.Name,
			Primary:      c.Primary,
			Virtual:      c.Virtual,
			Wildcard:     c.Wildcard,
			Reads:        c.Reads,
			Access:       c.Access,
			Externals:    c.Externals,
			Metrics:      c.Metrics,
			ConfigSchema: c.ConfigSchema,
			Concurrency:  uint32(max(c.Concurrency, 0)), //nolint:gosec // a number of workers
			MemoSchema:   c.MemoSchema,
		})
	}
	return out
}
