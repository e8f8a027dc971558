package meta

import (
	"strconv"

	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// DisownPatch is the strategic merge patch that removes references to owners
// from the object with that UID.
func DisownPatch(uid string, ownerUIDs ...string) []byte {
	b := appendQuoted([]byte(`{"metadata":{"uid":`), uid)
	b = append(b, `,"ownerReferences":[`...)
	for i, owner := range ownerUIDs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(append(b, `{"$patch":"delete","uid":`...), owner)
		b = append(b, '}')
	}
	return append(b, "]}}"...)
}

// OwnersPatch is the strategic merge patch that sets references to owners, by
// their UIDs, in the object with that UID, and leaves its others alone.
func OwnersPatch(uid string, refs ...metav1.OwnerReference) []byte {
	b := appendQuoted([]byte(`{"metadata":{"uid":`), uid)
	return append(appendOwners(append(b, ','), refs), "}}"...)
}

// OwnersMergePatch is the JSON merge patch that makes refs all owner references
// of an object, if it still has that resource version.
func OwnersMergePatch(resourceVersion string, refs ...metav1.OwnerReference) []byte {
	b := appendQuoted([]byte(`{"metadata":{"resourceVersion":`), resourceVersion)
	return append(appendOwners(append(b, ','), refs), "}}"...)
}

// FinalizersMergePatch is the JSON merge patch that makes these all finalizers of
// an object, if it still has that resource version.
func FinalizersMergePatch(resourceVersion string, finalizers ...string) []byte {
	b := appendQuoted([]byte(`{"metadata":{"resourceVersion":`), resourceVersion)
	if len(finalizers) == 0 {
		return append(b, `,"finalizers":null}}`...)
	}
	return append(appendStrings(b, "finalizers", finalizers), "}}"...)
}

// appendOwners appends the member ownerReferences; null where there are none.
func appendOwners(b []byte, refs []metav1.OwnerReference) []byte {
	b = append(b, `"ownerReferences":`...)
	if len(refs) == 0 {
		return append(b, "null"...)
	}
	for i, ref := range refs {
		b = appendOwner(append(b, "[,"[min(i, 1)]), ref)
	}
	return append(b, ']')
}

func appendOwner(b []byte, ref metav1.OwnerReference) []byte {
	b = appendQuoted(append(b, `{"apiVersion":`...), ref.APIVersion())
	b = appendQuoted(append(b, `,"kind":`...), ref.Kind())
	b = appendQuoted(append(b, `,"name":`...), ref.Name())
	b = appendQuoted(append(b, `,"uid":`...), ref.UID())
	if ref.HasController() {
		b = strconv.AppendBool(append(b, `,"controller":`...), ref.Controller())
	}
	if ref.HasBlockOwnerDeletion() {
		b = strconv.AppendBool(append(b, `,"blockOwnerDeletion":`...), ref.BlockOwnerDeletion())
	}
	return append(b, '}')
}
