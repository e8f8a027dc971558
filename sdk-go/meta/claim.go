package meta

import "github.com/loopdock/loopdock/sdk-go/view/metav1"

// Claim is what a controller has to do about an object that it may own.
type Claim uint8

// The claims. Only objects under Keep are owned now, and those under Adopt
// once the patch has succeeded.
const (
	Ignore  Claim = iota // not owned, and nothing to do
	Keep                 // owned already
	Adopt                // to be owned, by AdoptPatch
	Release              // no longer to be owned, by ReleasePatch
)

// String names the claim.
func (c Claim) String() string {
	return [...]string{"ignore", "keep", "adopt", "release"}[c&3]
}

// Claimer decides which objects a controller owns: adopts orphans that its
// selector matches, and releases what it owns and no longer matches.
//
// # Notes
//
//   - It decides from what it is given. Before adopting, read the controller
//     live: it may be gone or terminating while the cache does not know.
//   - A patch that fails because the object is gone means that there is
//     nothing to own; so does an invalid one when releasing.
type Claimer struct {
	// UID and Namespace are the controller's; Namespace is empty for one that
	// is in none and claims in all.
	UID, Namespace string
	// Terminating says that the controller is being deleted: it then neither
	// adopts nor releases.
	Terminating bool
	// Selector says which objects the controller wants.
	Selector Selector
}

// NewClaimer is the Claimer of a controller's object, such as a ReplicaSet.
func NewClaimer(controller metav1.ObjectMeta, s Selector) Claimer {
	return Claimer{
		UID: controller.UID(), Namespace: controller.Namespace(),
		Terminating: controller.HasDeletionTimestamp(), Selector: s,
	}
}

// Decide is what to do about an object.
func (c Claimer) Decide(m metav1.ObjectMeta) Claim { return c.DecideIf(m, true) }

// DecideIf is Decide where the controller wants the object only if another
// condition beside its selector holds.
func (c Claimer) DecideIf(m metav1.ObjectMeta, wanted bool) Claim {
	if ref, ok := ControllerOf(m); ok {
		switch {
		case ref.UID() != c.UID:
			return Ignore
		case wanted && c.Selector.Matches(m.Labels()):
			return Keep
		case c.Terminating:
			return Ignore
		}
		return Release
	}
	switch {
	case c.Terminating, !wanted, m.HasDeletionTimestamp(), !c.Selector.Matches(m.Labels()):
		return Ignore
	case c.Namespace != "" && c.Namespace != m.Namespace():
		return Ignore
	}
	return Adopt
}
