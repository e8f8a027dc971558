package sdktest

import (
	"errors"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
)

// act does one action.
func (h *host) act(a *abi.Action, results []abi.Result) abi.Result {
	if message := h.denyAction(a); message != "" {
		h.tb.Errorf("denied: %s", message)
		return abi.Result{Outcome: abi.OutcomeFailed, Reason: "Denied", Message: message, Code: 403}
	}
	if h.OnAction != nil {
		if r := h.OnAction(a); r != nil {
			return tolerate(a, *r)
		}
	}
	if a.Verb == abi.VerbEvent || a.Verb == abi.VerbExternal {
		return abi.Result{Outcome: abi.OutcomeOK}
	}
	o, err := h.change(a, results)
	if err != nil {
		return tolerate(a, Failure(err))
	}
	out := abi.Result{Outcome: abi.OutcomeOK}
	if o == nil {
		return out
	}
	m := accessor(o)
	out.Name, out.UID, out.ResourceVersion = m.GetName(), string(m.GetUID()), m.GetResourceVersion()
	if a.WantBody {
		body, err := encode(o, a.Encoding)
		if err != nil {
			h.tb.Fatalf("cannot encode a result: %v", err)
		}
		out.Body, out.Encoding = body.Body, body.Encoding
	}
	return out
}

func tolerate(a *abi.Action, r abi.Result) abi.Result {
	if isFailure(&r) && slices.Contains(a.Tolerates, r.Reason) {
		r.Outcome = abi.OutcomeOK
	}
	return r
}

// Failure is the result of an action that the API refuses with err: an error
// of apimachinery's package errors, or any other.
func Failure(err error) abi.Result {
	out := abi.Result{Outcome: abi.OutcomeFailed, Message: err.Error()}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		s := status.Status()
		out.Reason, out.Code = string(s.Reason), s.Code
		if s.Details != nil {
			for _, c := range s.Details.Causes {
				out.Causes = append(out.Causes, abi.Cause{Reason: string(c.Type), Message: c.Message, Field: c.Field})
			}
		}
	}
	return out
}

// change does an action that changes objects, and gives the object as it is then.
func (h *host) change(a *abi.Action, results []abi.Result) (runtime.Object, error) {
	gvk := gvkOf(a.Kind)
	at := id{GroupKind: gvk.GroupKind(), NamespacedName: types.NamespacedName{Namespace: a.Namespace, Name: a.Name}}
	switch a.Verb {
	case abi.VerbCreate:
		return h.create(a)
	case abi.VerbDeleteCollection:
		return nil, h.deleteCollection(a)
	default:
	}
	old, ok := h.current(at)
	if !ok && a.Verb == abi.VerbApply {
		return h.create(a)
	}
	if !ok {
		return nil, apierrors.NewNotFound(resource(gvk), a.Name)
	}
	if err := preconditions(a, accessor(old)); err != nil {
		return nil, err
	}
	if a.Verb == abi.VerbDelete {
		return h.remove(at, old), nil
	}
	next, err := changed(a, old, results)
	if err != nil {
		return nil, err
	}
	accessor(next).SetResourceVersion("")
	delete(h.live, at)
	h.put(next)
	return next, nil
}

// current is the object as the API server has it.
func (w *World) current(at id) (runtime.Object, bool) {
	o, ok := w.objects[at]
	if other, changed := w.live[at]; changed {
		return other, other != nil
	}
	return o, ok
}

func (h *host) create(a *abi.Action) (runtime.Object, error) {
	gvk := gvkOf(a.Kind)
	if a.BodyKind != nil {
		return nil, nil // an eviction, a binding: the World has no such thing
	}
	o, err := decode(gvk, a.Body, a.Encoding)
	if err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	m := accessor(o)
	if m.GetName() == "" && m.GetGenerateName() != "" {
		h.drawn++
		m.SetName(m.GetGenerateName() + strconv.Itoa(h.drawn))
	}
	m.SetNamespace(a.Namespace)
	if old, exists := h.current(idOf(o)); exists {
		if h.ours(accessor(old)) && !slices.Contains(a.Tolerates, sdk.AlreadyExists) {
			return old, nil
		}
		return nil, apierrors.NewAlreadyExists(resource(gvk), m.GetName())
	}
	m.SetCreationTimestamp(metav1.NewTime(h.Now.Truncate(1e9)))
	h.put(o)
	return o, nil
}

// ours reports whether the key's object controls another one that is to stay.
func (h *host) ours(m metav1.Object) bool {
	return h.owner != "" && controllerUID(m) == h.owner && m.GetDeletionTimestamp() == nil
}

// remove deletes an object, or marks it if a finalizer holds it.
func (h *host) remove(at id, o runtime.Object) runtime.Object {
	delete(h.live, at)
	m := accessor(o)
	if len(m.GetFinalizers()) == 0 {
		delete(h.objects, at)
		return o
	}
	if m.GetDeletionTimestamp() == nil {
		o = o.DeepCopyObject()
		now := metav1.NewTime(h.Now)
		accessor(o).SetDeletionTimestamp(&now)
		accessor(o).SetResourceVersion("")
		h.put(o)
	}
	return o
}

func (h *host) deleteCollection(a *abi.Action) error {
	selector, err := labels.Parse(a.LabelSelector)
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	for _, o := range h.all(true) {
		at, m := idOf(o), accessor(o)
		if at.GroupKind == gvkOf(a.Kind).GroupKind() && m.GetNamespace() == a.Namespace && selector.Matches(labels.Set(m.GetLabels())) {
			h.remove(at, o)
		}
	}
	return nil
}

func preconditions(a *abi.Action, m metav1.Object) error {
	gr := resource(gvkOf(a.Kind))
	if a.UID != "" && string(m.GetUID()) != a.UID {
		return apierrors.NewConflict(gr, a.Name, errors.New("the UID is another"))
	}
	if a.ResourceVersion != "" && m.GetResourceVersion() != a.ResourceVersion {
		return apierrors.NewConflict(gr, a.Name, errors.New("the object has been modified"))
	}
	return nil
}

// resource guesses a kind's resource, for messages.
func resource(gvk schema.GroupVersionKind) schema.GroupResource {
	return schema.GroupResource{Group: gvk.Group, Resource: plural(gvk.Kind)}
}
