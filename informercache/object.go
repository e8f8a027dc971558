package informercache

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Encoding is how the bytes of an object are to be read.
type Encoding uint8

// The encodings in which an API server sends objects.
const (
	// Protobuf is the bare message, without the "k8s\0" envelope.
	Protobuf Encoding = iota + 1
	// JSON is what custom resources have, and kinds that are not served as protobuf.
	JSON
)

// String is the encoding's name.
func (e Encoding) String() string {
	switch e {
	case Protobuf:
		return "protobuf"
	case JSON:
		return "json"
	}
	return "unknown"
}

// Object is one state of one object: its bytes, and the metadata read out of
// them.
//
// # Notes
//
//   - It never changes and may be kept and read by any number of goroutines.
//   - The slices it returns are views: they may be kept, and must not be
//     written to.
//   - Two states with equal UID and ResourceVersion are the same state.
type Object struct {
	raw        []byte
	namespace  string
	name       string // shares its memory with uid and version
	uid        string
	version    string
	generation int64
	deletion   int64 // Unix seconds, 0 while the object is not terminating
	labels     *Labels
	owners     *owners
	finalizers []string
	seen       *observations
	encoding   Encoding
}

// objectOverhead is about what an Object takes beside its bytes: the struct,
// its strings and its places in the indexes.
const objectOverhead = 336

// Raw is the object as it came, without envelope and managedFields.
func (o *Object) Raw() []byte { return o.raw }

// Encoding is how to read Raw.
func (o *Object) Encoding() Encoding { return o.encoding }

// Namespace is the object's namespace, "" for objects of the cluster.
func (o *Object) Namespace() string { return o.namespace }

// Name is the object's name.
func (o *Object) Name() string { return o.name }

// UID tells objects apart that had the same name one after the other.
func (o *Object) UID() types.UID { return types.UID(o.uid) }

// ResourceVersion is the version of this state.
func (o *Object) ResourceVersion() string { return o.version }

// Generation counts the changes of the desired state.
func (o *Object) Generation() int64 { return o.generation }

// Labels are the object's labels, never nil.
func (o *Object) Labels() *Labels { return o.labels }

// Owners are the object's owner references, in the order of the object.
func (o *Object) Owners() []OwnerReference { return o.owners.refs }

// Controller is the owner reference that is marked as the controller, nil if
// there is none.
func (o *Object) Controller() *OwnerReference { return o.owners.controller() }

// Terminating tells whether the object is being deleted.
func (o *Object) Terminating() bool { return o.deletion != 0 }

// DeletionTimestamp is when the object is or was to be gone, the zero time if
// it is not terminating.
func (o *Object) DeletionTimestamp() time.Time {
	if o.deletion == 0 {
		return time.Time{}
	}
	return time.Unix(o.deletion, 0)
}

// Finalizers are what still holds the object when it is terminating.
func (o *Object) Finalizers() []string { return o.finalizers }

// Observed tells when the field was last seen to change, by the local clock:
// the moment it was first seen counts as a change. It is false for a field
// that nobody declared as observed.
func (o *Object) Observed(p Path) (time.Time, bool) { return o.seen.at(p) }

// Field returns the field's bytes, to find out whether the field changed: they
// are equal if and only if the field is. In protobuf they include the tag;
// where a repeated field lies on the path, the bytes of its elements follow
// each other, set apart. Nil means that the field is absent.
func (o *Object) Field(p Path) []byte {
	if o.encoding == JSON {
		return jsonField(o.raw, p.Name)
	}
	return protoField(o.raw, p.Numbers)
}

// same tells whether two states are one.
func (o *Object) same(p *Object) bool { return o.uid == p.uid && o.version == p.version }

func (o *Object) size() int64 { return int64(len(o.raw)) + objectOverhead }
