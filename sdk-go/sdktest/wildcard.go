package sdktest

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
)

// SeenGone has the host know that the object with this UID was deleted, which was
// in the namespace, or in none.
func (w *World) SeenGone(namespace, uid string) { w.gone[uid] = namespace }

// Unserve has the API server not serve kinds: an owner of one is of no such kind.
func (w *World) Unserve(kinds ...string) { w.unserved = append(w.unserved, kinds...) }

// ReconcileObject runs a controller with wildcard keys for an object of the World,
// or fails the test. If the object passes none of the controller's filters, it is
// absent from the request.
func (w *World) ReconcileObject(kind, namespace, name string) *Run {
	w.tb.Helper()
	o, ok := w.objects[w.find(kind, namespace, name)]
	if !ok {
		w.tb.Fatalf("there is no %s %s/%s", kind, namespace, name)
	}
	return w.ReconcileKey(wildcardKey(o))
}

func wildcardKey(o runtime.Object) abi.Key {
	gvk, m := o.GetObjectKind().GroupVersionKind(), accessor(o)
	return abi.Key{Group: gvk.Group, Resource: plural(gvk.Kind), Namespace: m.GetNamespace(), Name: m.GetName(), UID: string(m.GetUID())}
}

// keyObject is a wildcard key's object, nil if it is gone or passes no filter.
func (h *host) keyObject(key abi.Key) *abi.Object {
	for _, o := range h.all(false) {
		if wildcardKey(o) != key || !passes(h.controller.Wildcard, o) {
			continue
		}
		answer := h.give(&abi.Query{MetadataOnly: true, Kind: kindOf(o)}, []runtime.Object{o})
		answer.Objects[0].Kind = kindOf(o)
		return &answer.Objects[0]
	}
	return nil
}

func passes(w *abi.WildcardKeys, o runtime.Object) bool {
	gr := resource(o.GetObjectKind().GroupVersionKind())
	if slices.Contains(w.Except, gr.String()) {
		return false
	}
	m := accessor(o)
	return slices.ContainsFunc(w.Filters, func(f abi.WildcardFilter) bool {
		return (!f.HasOwners || len(m.GetOwnerReferences()) > 0) &&
			(!f.Terminating || m.GetDeletionTimestamp() != nil) &&
			(f.Finalizer == "" || slices.Contains(m.GetFinalizers(), f.Finalizer))
	})
}

// everyKind answers a query of the kind "*".
func (h *host) everyKind(q *abi.Query) abi.Answer {
	match := func(m metav1.Object) bool { return string(m.GetUID()) == q.UID }
	if q.Type == abi.QueryTypeList {
		match = func(m metav1.Object) bool {
			return (q.AllNamespaces || m.GetNamespace() == q.Namespace) && (q.OwnerUID == "" || hasOwner(m, q.OwnerUID))
		}
	}
	out := abi.Answer{Status: abi.AnswerStatusOK}
	for _, o := range h.all(false) {
		if !match(accessor(o)) {
			continue
		}
		one := h.give(&abi.Query{MetadataOnly: true, Kind: kindOf(o)}, []runtime.Object{o})
		one.Objects[0].Kind = kindOf(o)
		out.Objects = append(out.Objects, one.Objects[0])
	}
	if q.Type == abi.QueryTypeGet && len(out.Objects) == 0 {
		_, gone := h.gone[q.UID]
		return abi.Answer{Status: abi.AnswerStatusNotFound, Gone: gone}
	}
	return out
}

// checkOwner is the answer to an owner query that need not be looked up.
func (h *host) checkOwner(q *abi.Query) *abi.Answer {
	was, gone := h.gone[q.UID]
	switch {
	case !q.Live && gone && (was == "" || was == q.Namespace):
		return &abi.Answer{Status: abi.AnswerStatusNotFound, Gone: true}
	case slices.Contains(h.unserved, q.Kind.Kind):
		return &abi.Answer{Status: abi.AnswerStatusNoSuchKind}
	case q.Namespace == "" && h.namespaced(gvkOf(q.Kind).GroupKind()):
		return &abi.Answer{Status: abi.AnswerStatusInvalid, Message: "the owner's kind has namespaces"}
	}
	return nil
}

// namespaced reports whether the World has an object of a kind in a namespace.
func (w *World) namespaced(gk schema.GroupKind) bool {
	for i := range w.objects {
		if i.GroupKind == gk && i.Namespace != "" {
			return true
		}
	}
	return false
}

func kindOf(o runtime.Object) *abi.Kind {
	apiVersion, kind := o.GetObjectKind().GroupVersionKind().ToAPIVersionAndKind()
	return &abi.Kind{APIVersion: apiVersion, Kind: kind}
}
