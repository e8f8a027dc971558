package main

import (
	"strconv"
	"strings"

	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view"
	"github.com/loopdock/loopdock/sdk-go/view/appsv1"
)

// Annotations that number the templates of a Deployment in the order in which
// they were rolled out.
const (
	revisionAnnotation = "deployment.kubernetes.io/revision"
	// historyAnnotation lists the revisions that a ReplicaSet was before.
	historyAnnotation = "deployment.kubernetes.io/revision-history"
)

// maxHistory is how long that list may become, in characters.
const maxHistory = 2000

// lastApplied is what kubectl applied last.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// ownAnnotations are not passed on between Deployments and ReplicaSets.
var ownAnnotations = map[string]bool{
	lastApplied:                 true,
	revisionAnnotation:          true,
	historyAnnotation:           true,
	desiredAnnotation:           true,
	maxAnnotation:               true,
	appsv1.DeprecatedRollbackTo: true,
}

// revision is the ReplicaSet's revision, zero if it has none, and whether it is
// a number.
func (s *replicaSet) revision() (int64, bool) {
	text, ok := s.meta.Annotations().Get(revisionAnnotation)
	if !ok {
		return 0, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// nextRevision is the revision after all of those.
func nextRevision(old []*replicaSet) int64 {
	var last int64
	for _, set := range old {
		if n, ok := set.revision(); ok {
			last = max(last, n)
		}
	}
	return last + 1
}

// lastRevision is the one before the latest, zero if there is none.
func lastRevision(sets []*replicaSet) int64 {
	var latest, last int64
	for _, set := range sets {
		switch n, ok := set.revision(); {
		case !ok:
		case n >= latest:
			latest, last = n, latest
		case n > last:
			last = n
		}
	}
	return last
}

// revise brings the annotations and minReadySeconds of the ReplicaSet that has
// the Deployment's template up to date. It reports whether it had to.
func revise(r *sdk.Reconcile, d *deployment, sets replicaSets) bool {
	set := sets.updated
	annotations, changed := revised(d, set.meta.Annotations(), nextRevision(sets.old))
	seconds := d.Spec().MinReadySeconds()
	if !changed && set.Spec().MinReadySeconds() == seconds {
		return false
	}
	body := set.WithMetadata(set.meta.WithAnnotations(annotations)).WithSpec(set.Spec().WithMinReadySeconds(seconds))
	r.Update(kindReplicaSet, d.meta.Namespace(), set.name, body)
	r.Continue(step{kind: stepRevised, uid: d.meta.UID()}.encode())
	return true
}

// revised gives a ReplicaSet's annotations with those of the Deployment, and
// with a revision if that is higher than the present one, and reports whether
// they differ. A present one that is no number stays, and nothing is reported.
func revised(d *deployment, old view.StringMap, revision int64) (view.StringMap, bool) {
	annotations, changed := old, false
	for key, value := range d.meta.Annotations().All() {
		if has, ok := old.Get(key); !ownAnnotations[key] && (!ok || has != value) {
			annotations, changed = annotations.With(key, value), true
		}
	}
	text, _ := old.Get(revisionAnnotation)
	var present int64
	if text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return annotations, false
		}
		present = n
	}
	if present >= revision {
		return annotations, changed
	}
	annotations = annotations.With(revisionAnnotation, strconv.FormatInt(revision, 10))
	if old.Has(revisionAnnotation) { // the Deployment came back to this template
		history, _ := old.Get(historyAnnotation)
		if history, ok := withPast(history, text); ok {
			annotations = annotations.With(historyAnnotation, history)
		}
	}
	return annotations, true
}

// withPast adds a revision to a history and drops the oldest ones where it
// would become too long. It is false where not even that makes room.
func withPast(history, revision string) (string, bool) {
	if history == "" || strings.HasPrefix(history, ",") {
		return revision, true
	}
	for history != "" && len(history)+len(",")+len(revision) > maxHistory {
		_, history, _ = strings.Cut(history, ",")
	}
	switch {
	case history != "":
		return history + "," + revision, true
	case len(revision) <= maxHistory:
		return revision, true
	}
	return "", false
}
