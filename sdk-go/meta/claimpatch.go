package meta

import (
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// AdoptPatch is the strategic merge patch that makes ref, from
// NewControllerRef, an owner of the object with that UID, and adds finalizers.
// The API server refuses it where the object has another controller, or is no
// longer the one with that UID.
func AdoptPatch(uid string, ref metav1.OwnerReference, finalizers ...string) []byte {
	b := appendOwner([]byte(`{"metadata":{"ownerReferences":[`), ref)
	b = append(b, `],"uid":`...)
	b = appendQuoted(b, uid)
	b = appendStrings(b, "finalizers", finalizers)
	return append(b, "}}"...)
}

// ReleasePatch is the strategic merge patch that removes the reference to an
// owner from the object with that UID, and finalizers.
func ReleasePatch(uid, ownerUID string, finalizers ...string) []byte {
	b := []byte(`{"metadata":{"uid":`)
	b = appendQuoted(b, uid)
	b = append(b, `,"ownerReferences":[{"$patch":"delete","uid":`...)
	b = appendQuoted(b, ownerUID)
	b = append(b, "}]"...)
	b = appendStrings(b, "$deleteFromPrimitiveList/finalizers", finalizers)
	return append(b, "}}"...)
}

// appendStrings appends a member that is a list of strings, if there are any.
func appendStrings(b []byte, name string, list []string) []byte {
	if len(list) == 0 {
		return b
	}
	b = append(appendQuoted(append(b, ','), name), ':')
	for i, s := range list {
		b = append(b, "[,"[min(i, 1)])
		b = appendQuoted(b, s)
	}
	return append(b, ']')
}
