package informercache

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi/wire"
)

// OwnerReference says which object an object belongs to.
type OwnerReference struct {
	// APIVersion, Kind and Name are the owner's coordinates.
	APIVersion, Kind, Name string
	// UID tells the owner from its namesakes.
	UID types.UID
	// Controller marks the one owner that manages the object.
	Controller bool
	// BlockOwnerDeletion holds the owner, when it is deleted in the foreground,
	// until the object is gone.
	BlockOwnerDeletion bool
}

// owners are the owner references of an object. Objects with equal references
// share one.
type owners struct {
	refs []OwnerReference
}

var noOwners = &owners{}

func (s *owners) controller() *OwnerReference {
	for i := range s.refs {
		if s.refs[i].Controller {
			return &s.refs[i]
		}
	}
	return nil
}

// uids are what the owner index holds of an object: the UIDs of its owners,
// and "" if none of them is a controller.
func (s *owners) uids() []types.UID {
	uids := make([]types.UID, 0, len(s.refs)+1)
	for i := range s.refs {
		uids = append(uids, s.refs[i].UID)
	}
	if s.controller() == nil {
		uids = append(uids, "")
	}
	return uids
}

func readOwners(fields []byte, in *interner) (*owners, error) {
	var s owners
	r := wire.NewReader(fields)
	for r.Next() {
		ref, err := readOwner(r.Bytes(), in)
		if err != nil {
			return nil, err
		}
		s.refs = append(s.refs, ref)
	}
	return &s, r.Err()
}

func readOwner(b []byte, in *interner) (OwnerReference, error) {
	var ref OwnerReference
	r := wire.NewReader(b)
	for r.Next() {
		switch r.Field() {
		case 1:
			ref.Kind = in.string(r.Bytes())
		case 3:
			ref.Name = r.String()
		case 4:
			ref.UID = types.UID(r.String())
		case 5:
			ref.APIVersion = in.string(r.Bytes())
		case 6:
			ref.Controller = r.Bool()
		case 7:
			ref.BlockOwnerDeletion = r.Bool()
		}
	}
	return ref, r.Err()
}
