package host

import "k8s.io/apimachinery/pkg/types"

// Knows reports whether the caches of a controller with wildcard keys hold an
// object of that UID, of whatever kind, or one that names it as an owner.
func (h *Host) Knows(controller string, uid types.UID) bool {
	d := h.controller(controller)
	return d != nil && d.loop.Knows(uid)
}
