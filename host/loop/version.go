package loop

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/sandbox"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Guest runs the reconcile function of a module.
type Guest interface {
	Reconcile(ctx context.Context, sticky string, req *abi.Request, reader sandbox.Reader, log sandbox.Logger) (*abi.Response, sandbox.Usage, error)
}

// Writer performs a response's actions.
type Writer interface {
	Perform(ctx context.Context, owner writer.Owner, batches []abi.Batch) (writer.Report, error)
	Resolve(ctx context.Context, u writer.Unknown) (writer.Write, error)
}

// Version is one version of a controller: a module's guest with all that it
// was granted. A swap replaces it whole.
type Version struct {
	Manifest *abi.Controller
	// Index of the controller in its module.
	Index uint32
	// Name and Digest of the module, for status and logs.
	Module  string
	Release string
	Digest  string
	// Config is the operator's configuration as JSON.
	Config  []byte
	Guest   Guest
	Watches *reads.Watches
	Reads   *reads.Config
	Writer  Writer
	// Close gives back what the version holds, after its last reconcile.
	Close func()

	primary  schema.GroupVersionKind
	selector labels.Selector
	wakes    []subscribe.Field
	mappings []mapping
	ready    bool // checked, and its caches are ready; under the controller's swap lock
	inflight inflight
	// configured replaces Config once an operator has changed it.
	configured atomic.Pointer[[]byte]
}

type mapping struct {
	gvk   schema.GroupVersionKind
	rule  abi.KeyRule
	field subscribe.Field
	wakes []subscribe.Field
}

// prepare works out what the manifest says about keys.
func (v *Version) prepare() error {
	m := v.Manifest
	v.mappings = nil
	switch {
	case m.Primary != nil:
		v.primary = reads.GVKOf(m.Primary.Kind)
		v.wakes = reads.FieldsOf(m.Primary.Wakes)
		if m.Primary.Selector != "" {
			s, err := labels.Parse(m.Primary.Selector)
			if err != nil {
				return fmt.Errorf("cannot read the selector of controller %s's primary kind: %w", m.Name, err)
			}
			v.selector = s
		}
	case m.Virtual != nil:
		for i := range m.Virtual.Mappings {
			in := &m.Virtual.Mappings[i]
			out := mapping{gvk: reads.GVKOf(in.Kind), rule: in.Rule, wakes: reads.FieldsOf(in.Wakes)}
			if in.Field != nil {
				out.field = reads.FieldsOf([]abi.FieldPath{*in.Field})[0]
			}
			v.mappings = append(v.mappings, out)
		}
	default:
		return fmt.Errorf("controller %s asks for wildcard keys, which this host does not offer", m.Name)
	}
	return nil
}

// sameKeys reports whether the keys of one version are those of the other, so
// that a queue can pass from one to the other.
func (v *Version) sameKeys(o *Version) bool {
	return v.primary == o.primary && (v.Manifest.Virtual != nil) == (o.Manifest.Virtual != nil)
}

// object gives the key's object, nil if there is none.
func (v *Version) object(k Key) *informercache.Object {
	if v.Manifest.Primary == nil {
		return nil
	}
	o := v.Watches.Get(v.primary, k.Namespace, k.Name)
	if o == nil || !v.selects(o) {
		return nil
	}
	return o
}

func (v *Version) selects(o *informercache.Object) bool {
	return v.selector == nil || v.selector.Matches(o.Labels())
}
