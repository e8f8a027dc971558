package loop

import (
	"context"
	"fmt"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/reads"
	"github.com/loopdock/loopdock/host/sandbox"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/host/writer"
	"github.com/loopdock/loopdock/informercache"
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
	owners   []ownerRule
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

// ownerRule says which changes of a kind's objects wake what they own.
type ownerRule struct {
	gvk     schema.GroupVersionKind // reads.AnyKind for those of a wildcard
	deleted bool                    // only their end does
	wakes   []subscribe.Field
}

// prepare works out what the manifest says about keys.
func (v *Version) prepare() error {
	m := v.Manifest
	v.mappings, v.owners = nil, nil
	for i := range m.Reads {
		r := &m.Reads[i]
		if r.WakeDependents != abi.WakeDependentsNever {
			v.owners = append(v.owners, ownerRule{
				gvk: reads.GVKOf(r.Kind), deleted: r.WakeDependents == abi.WakeDependentsDeleted, wakes: reads.FieldsOf(r.DependentWakes),
			})
		}
	}
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
		v.wakes = reads.FieldsOf(m.Wildcard.Wakes)
	}
	return nil
}

// sameKeys reports whether the keys of one version are those of the other, so
// that a queue can pass from one to the other.
func (v *Version) sameKeys(o *Version) bool {
	return v.primary == o.primary && (v.Manifest.Virtual != nil) == (o.Manifest.Virtual != nil) &&
		(v.Manifest.Wildcard != nil) == (o.Manifest.Wildcard != nil)
}

// object gives the key's object and its kind, nil if there is none.
func (v *Version) object(k Key) (schema.GroupVersionKind, *informercache.Object) {
	switch {
	case v.Manifest.Wildcard != nil:
		return v.wildObject(k)
	case v.Manifest.Primary == nil:
		return v.primary, nil
	}
	o := v.Watches.Get(v.primary, k.Namespace, k.Name)
	if o == nil || !v.selects(o) {
		return v.primary, nil
	}
	return v.primary, o
}

// dependents gives the keys whose objects name the UID as an owner.
func (v *Version) dependents(uid types.UID) []Key {
	var out []Key
	switch {
	case v.Manifest.Wildcard != nil:
		for _, f := range v.Watches.Everywhere(informercache.Query{Owner: uid}) {
			if v.passes(f.Object) {
				out = append(out, wildKey(f))
			}
		}
	case v.Manifest.Primary != nil:
		for _, o := range v.Watches.List(v.primary, informercache.Query{Owner: uid}) {
			out = append(out, Key{Namespace: o.Namespace(), Name: o.Name()})
		}
	}
	return out
}

func (v *Version) selects(o *informercache.Object) bool {
	return v.selector == nil || v.selector.Matches(o.Labels())
}
