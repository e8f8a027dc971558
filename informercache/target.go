package informercache

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Target names what one watch covers.
type Target struct {
	// GVK is the kind.
	GVK schema.GroupVersionKind
	// Namespace limits the watch to one namespace; "" is the whole cluster.
	Namespace string
	// MetadataOnly asks for PartialObjectMetadata, which is protobuf for custom
	// resources too.
	MetadataOnly bool
}

// String names the target in messages: Deployment.v1.apps in namespace x.
func (t Target) String() string {
	s := kindName(t.GVK)
	if t.MetadataOnly {
		s += " (metadata)"
	}
	if t.Namespace != "" {
		s += " in namespace " + t.Namespace
	}
	return s
}

// kindName is the name of a kind in messages and in metrics: Pod.v1,
// Deployment.v1.apps.
func kindName(gvk schema.GroupVersionKind) string {
	s := gvk.Kind + "." + gvk.Version
	if gvk.Group != "" {
		s += "." + gvk.Group
	}
	return s
}

// Demand is what one user of a watch needs of it. The cache holds the union
// over the users of a target.
type Demand struct {
	// Indexes are the declared indexes, asked by [Query].Index.
	Indexes []Index
	// Observed are the fields whose last observed change is noted per object;
	// see [Object.Observed].
	Observed []Path
}

// Path leads to a field, in both encodings.
type Path struct {
	// Numbers are the protobuf field numbers from the object down. Empty is the
	// whole object.
	Numbers []int32
	// Name is the same path in JSON names: "spec.nodeName".
	Name string
}

// FieldType says what the wire format of protobuf leaves open about a field.
type FieldType uint8

// The types of fields that an index can be over.
const (
	// Scalar is a string, an integer or an enumeration.
	Scalar FieldType = iota
	// Bool gives "true" and "false", also where the field is left out.
	Bool
	// Map is a map of strings: each entry gives "key=value".
	Map
)

// Index declares an index over the values of a field. Strings are values as
// they are, integers in decimal. A repeated field along the path gives several
// values. An object without any value is found under "".
type Index struct {
	// Name is what queries of this user call the index.
	Name string
	// Path is the field.
	Path Path
	// Type is the field's type.
	Type FieldType
}

// indexKey is what makes two declared indexes the same one.
type indexKey struct {
	numbers string
	name    string
	typ     FieldType
}

func (i Index) key() indexKey {
	return indexKey{numbers: packNumbers(i.Path.Numbers), name: i.Path.Name, typ: i.Type}
}

func (p Path) equal(q Path) bool {
	return p.Name == q.Name && slices.Equal(p.Numbers, q.Numbers)
}

func packNumbers(numbers []int32) string {
	b := make([]byte, 0, 4*len(numbers))
	for _, n := range numbers {
		b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24)) //nolint:gosec // cut into bytes on purpose
	}
	return string(b)
}
