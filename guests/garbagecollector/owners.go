package main

import (
	"errors"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// outlook is what the cache knows of an object's owners.
type outlook struct {
	gone      map[string]bool // UIDs of owners that were seen to go
	unseen    map[string]bool // UIDs that the cache does not know: such an owner may be newer than it
	doubtful  bool            // not each owner is there, as the reference names it, and to stay
	elsewhere metav1.OwnerReference
}

// lookAround asks the cache for each owner by its UID. In elsewhere it finds the
// first reference to an owner in another namespace, unless one before it was
// wrong already: of several wrong ones one is told.
func lookAround(r *sdk.Reconcile, o object) (outlook, error) {
	refs := o.owners()
	out := outlook{gone: map[string]bool{}, unseen: map[string]bool{}}
	queries := make([]sdk.Query, len(refs))
	for i, ref := range refs {
		queries[i] = sdk.Query{Type: abi.QueryTypeGet, Kind: kindAny, UID: ref.UID(), MetadataOnly: true, Quiet: true}
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return out, err
	}
	wrong := false
	var missing []metav1.OwnerReference
	for i, ref := range refs {
		a := &answers[i]
		switch err := sdk.AnswerError(queries[i], a); {
		case errors.Is(err, sdk.ErrNotFound):
			missing = append(missing, ref)
			continue
		case err != nil:
			return out, err
		}
		owner := newObject(&a.Objects[0])
		away := owner.Namespace() != "" && owner.Namespace() != o.Namespace()
		if away && !wrong {
			out.elsewhere = ref
		}
		wrong = wrong || away || !names(ref, owner)
		out.doubtful = out.doubtful || wrong || owner.waitsForDependents()
	}
	out.doubtful = out.doubtful || len(missing) > 0
	return out, out.miss(r, o, missing)
}

// miss asks the cache whether owners that it does not have were seen to go. That
// counts only of those that the object could have had: a live read finds out
// about the others.
func (out *outlook) miss(r *sdk.Reconcile, o object, refs []metav1.OwnerReference) error {
	if len(refs) == 0 {
		return nil
	}
	queries := make([]sdk.Query, len(refs))
	for i, ref := range refs {
		queries[i] = sdk.OwnerQuery(o.Namespace(), ref)
		queries[i].MetadataOnly, queries[i].Quiet = true, true
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return err
	}
	for i, ref := range refs {
		if answers[i].Gone {
			out.gone[ref.UID()] = true
		} else {
			out.unseen[ref.UID()] = true
		}
	}
	return nil
}

// names reports whether a reference names the object in all its coordinates.
func names(ref metav1.OwnerReference, owner object) bool {
	return ref.Name() == owner.Name() && ref.Kind() == owner.kind.Kind && ref.APIVersion() == owner.kind.APIVersion
}

// verdict sorts an object's references by what became of the owners.
type verdict struct {
	solid   []metav1.OwnerReference // there, and to stay
	waiting []metav1.OwnerReference // being deleted in the foreground
	absent  []metav1.OwnerReference
}

// errMisplaced: an object without a namespace names an owner that has one. That
// can't be put right by trying again.
var errMisplaced = errors.New("cannot have an owner in a namespace")

// judge asks the API server for each owner that was not seen to go.
func judge(r *sdk.Reconcile, o object, gone map[string]bool) (verdict, error) {
	var v verdict
	var asked []metav1.OwnerReference
	var queries []sdk.Query
	for ref := range o.OwnerReferences() {
		if gone[ref.UID()] {
			v.absent = append(v.absent, ref)
			continue
		}
		q := sdk.OwnerQuery(o.Namespace(), ref)
		q.Live, q.MetadataOnly = true, true
		asked, queries = append(asked, ref), append(queries, q)
	}
	if len(queries) == 0 {
		return v, nil
	}
	answers, err := r.Read(queries...)
	if err != nil {
		return v, err
	}
	for i, ref := range asked {
		a := &answers[i]
		switch err := sdk.AnswerError(queries[i], a); {
		case errors.Is(err, sdk.ErrNotFound):
			v.absent = append(v.absent, ref)
		case errors.Is(err, sdk.ErrInvalid):
			return v, errMisplaced
		case err != nil:
			return v, err
		case newObject(&a.Objects[0]).waitsForDependents():
			v.waiting = append(v.waiting, ref)
		default:
			v.solid = append(v.solid, ref)
		}
	}
	return v, nil
}

func uidsOf(refs []metav1.OwnerReference) []string {
	out := make([]string, len(refs))
	for i, ref := range refs {
		out[i] = ref.UID()
	}
	return out
}
