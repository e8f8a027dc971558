package reads

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/host/policy"
	"github.com/loopdock/loopdock/host/subscribe"
	"github.com/loopdock/loopdock/informercache"
)

// Config is what all reads of one module version of a controller share.
type Config struct {
	Watches *Watches
	Grant   *policy.Grant
	// Transcoder turns protobuf into JSON.
	Transcoder *informercache.Transcoder
	// Live reads past the cache, under the controller's identity.
	Live *informercache.RawClient
	// Mapper finds the resource of a kind.
	Mapper informercache.Mapper
	// Discovery lists what the API server serves.
	Discovery Discovery
	// Memo gives the memo of another key of the controller.
	Memo func(k *abi.Key) []byte
	// Count is told of each query; may be nil.
	Count func(t abi.QueryType, live bool, objects int)
}

// Discovery lists what the API server serves.
type Discovery interface {
	// Served gives every resource, and the groups that did not answer.
	Served(ctx context.Context) (resources []abi.ServedResource, failed []string, err error)
}

// Noter takes note of what is read.
type Noter interface {
	Add(r *subscribe.Read)
}

// Reader answers the queries of one reconcile. It is used by one goroutine.
type Reader struct {
	*Config
	notes Noter
}

// New makes the reader of one reconcile.
func New(c *Config, notes Noter) *Reader { return &Reader{Config: c, notes: notes} }

// Read answers encoded Queries by encoded Answers. The error is an
// *abi.FieldError where the queries don't decode.
func (r *Reader) Read(ctx context.Context, queries []byte) ([]byte, error) {
	var in abi.Queries
	if err := in.Decode(queries); err != nil {
		return nil, err
	}
	out := abi.Answers{Answers: make([]abi.Answer, len(in.Queries))}
	for i := range in.Queries {
		q := &in.Queries[i]
		out.Answers[i] = r.answer(ctx, q)
		if r.Count != nil {
			r.Count(q.Type, q.Live, len(out.Answers[i].Objects))
		}
	}
	return out.Append(nil), nil
}

func (r *Reader) answer(ctx context.Context, q *abi.Query) abi.Answer {
	switch q.Type {
	case abi.QueryTypeMemo:
		return abi.Answer{Status: abi.AnswerStatusOK, Memo: r.Memo(&abi.Key{
			Group: q.Group, Resource: q.Resource, Namespace: q.Namespace, Name: q.Name, UID: q.UID,
		})}
	case abi.QueryTypeDiscovery:
		return r.discovery(ctx)
	case abi.QueryTypeGet, abi.QueryTypeList, abi.QueryTypeOwner:
	default:
		return invalid("query type %d does not exist in this version of the ABI", q.Type)
	}
	if q.Kind == nil && q.Resource == "" {
		return invalid("the query names no kind and no resource")
	}
	right, err := r.Grant.Read(q)
	if err != nil {
		return abi.Answer{Status: abi.AnswerStatusDenied, Message: err.Error()}
	}
	if right.MetadataOnly {
		q.MetadataOnly = true
	}
	if q.Kind == nil {
		gvk, ok := r.Watches.Serving(schema.GroupResource{Group: q.Group, Resource: q.Resource})
		if !ok {
			return noSuchKind(fmt.Sprintf("no kind is found for the resource %s of the group %q", q.Resource, q.Group))
		}
		q.Kind = kindOf(gvk)
	}
	var shown labels.Selector
	if right.Selector != "" {
		if shown, err = labels.Parse(right.Selector); err != nil {
			return invalid("the manifest's selector for %s: %v", q.Kind.Kind, err)
		}
	}
	switch {
	case isAny(q.Kind):
		return r.anyKind(q)
	case q.Live:
		return r.live(ctx, q, shown)
	case q.Type == abi.QueryTypeOwner:
		return r.owner(ctx, q, shown)
	}
	if err := r.prefer(ctx, q); err != nil {
		return unmapped(err)
	}
	if q.Type == abi.QueryTypeGet {
		return r.get(q, shown)
	}
	return r.list(q, shown)
}

// notWatched is the answer where nothing in the cache could tell: a guest must
// not take that for absence.
func notWatched(q *abi.Query) abi.Answer {
	return invalid("the manifest declares no reads of %s in version %s", q.Kind.Kind, q.Kind.APIVersion)
}

func noSuchKind(message string) abi.Answer {
	return abi.Answer{Status: abi.AnswerStatusNoSuchKind, Message: message}
}

// unmapped is the answer where a kind's resource could not be found.
func unmapped(err error) abi.Answer {
	if meta.IsNoMatchError(err) {
		return noSuchKind(err.Error())
	}
	return failed(err)
}

func invalid(format string, args ...any) abi.Answer {
	return abi.Answer{Status: abi.AnswerStatusInvalid, Message: fmt.Sprintf(format, args...)}
}

func failed(err error) abi.Answer {
	return abi.Answer{Status: abi.AnswerStatusFailed, Message: err.Error()}
}
