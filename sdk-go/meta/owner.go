package meta

import "github.com/loopdock/loopdock/sdk-go/view/metav1"

// ControllerOf is the owner that controls an object, and whether there is one.
func ControllerOf(m metav1.ObjectMeta) (metav1.OwnerReference, bool) {
	for ref := range m.OwnerReferences() {
		if ref.Controller() {
			return ref, true
		}
	}
	return nil, false
}

// IsControlledBy reports whether owner controls an object.
func IsControlledBy(m, owner metav1.ObjectMeta) bool {
	ref, ok := ControllerOf(m)
	return ok && ref.UID() == owner.UID()
}

// OwnerOf is an object's reference to the owner with that UID, and whether
// there is one.
func OwnerOf(m metav1.ObjectMeta, uid string) (metav1.OwnerReference, bool) {
	for ref := range m.OwnerReferences() {
		if ref.UID() == uid {
			return ref, true
		}
	}
	return nil, false
}

// NewControllerRef is a reference to an owner which controls, and which is
// deleted in the foreground only after what it owns. apiVersion and kind are
// the owner's: "apps/v1", "ReplicaSet".
func NewControllerRef(apiVersion, kind string, owner metav1.ObjectMeta) metav1.OwnerReference {
	return NewOwnerRef(apiVersion, kind, owner).WithController(true).WithBlockOwnerDeletion(true)
}

// NewOwnerRef is a reference to an owner which does not control.
func NewOwnerRef(apiVersion, kind string, owner metav1.ObjectMeta) metav1.OwnerReference {
	return metav1.OwnerReference(nil).WithKind(kind).WithName(owner.Name()).WithUID(owner.UID()).WithAPIVersion(apiVersion)
}

// WithOwnerReference adds a reference, or puts it in the place of the one with
// the same UID.
func WithOwnerReference(m metav1.ObjectMeta, ref metav1.OwnerReference) metav1.ObjectMeta {
	uid, found := ref.UID(), false
	var refs []metav1.OwnerReference
	for r := range m.OwnerReferences() {
		if r.UID() == uid {
			if found {
				continue
			}
			r, found = ref, true
		}
		refs = append(refs, r)
	}
	if !found {
		return m.AppendOwnerReferences(ref)
	}
	return m.WithOwnerReferences(refs...)
}

// WithoutOwnerReference removes the references to the owner with that UID.
func WithoutOwnerReference(m metav1.ObjectMeta, uid string) metav1.ObjectMeta {
	var refs []metav1.OwnerReference
	for r := range m.OwnerReferences() {
		if r.UID() != uid {
			refs = append(refs, r)
		}
	}
	return m.WithOwnerReferences(refs...)
}
