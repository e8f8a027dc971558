package reads

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/loopdock/loopdock/abi"
)

// live asks the API server itself. Such a read wakes nothing later.
func (r *Reader) live(ctx context.Context, q *abi.Query, shown labels.Selector) abi.Answer {
	gvr, namespaced, err := r.Mapper.Resource(ctx, GVKOf(q.Kind))
	if err != nil {
		return unmapped(err)
	}
	if q.Type == abi.QueryTypeOwner {
		if answer := scopeOwner(q, namespaced); answer != nil {
			return *answer
		}
	}
	namespace := q.Namespace
	if !namespaced || q.AllNamespaces {
		namespace = ""
	}
	if q.Type != abi.QueryTypeList {
		o, err := r.Live.Get(ctx, gvr, namespace, q.Name, q.MetadataOnly)
		if err != nil {
			return liveError(err)
		}
		if q.Type == abi.QueryTypeOwner && q.UID != "" && string(o.UID()) != q.UID {
			return abi.Answer{Status: abi.AnswerStatusNotFound}
		}
		return r.one(q, o, shown)
	}
	return r.liveList(ctx, q, gvr, namespace, shown)
}

func liveError(err error) abi.Answer {
	out := abi.Answer{Status: abi.AnswerStatusFailed, Message: err.Error(), Reason: string(apierrors.ReasonForError(err))}
	if status := apierrors.APIStatus(nil); errors.As(err, &status) {
		out.Code = status.Status().Code
	}
	if apierrors.IsNotFound(err) {
		out.Status = abi.AnswerStatusNotFound
	}
	if out.Reason == string(metav1.StatusReasonUnknown) {
		out.Reason = ""
	}
	return out
}
