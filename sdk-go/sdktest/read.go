package sdktest

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/loopdock/loopdock/abi"
)

// host is the World as a running reconcile sees it.
type host struct {
	*World
	controller *abi.Controller
	run        *Run
	owner      string // the UID of the key's object, empty if there is none
}

// Read answers as the host's import does.
func (h *host) Read(queries, buffer []byte) int32 {
	var in abi.Queries
	if err := in.Decode(queries); err != nil {
		return abi.ReadMalformed
	}
	out := abi.Answers{Answers: make([]abi.Answer, len(in.Queries))}
	for i := range in.Queries {
		out.Answers[i] = h.answer(&in.Queries[i])
	}
	b := out.Append(nil)
	if len(b) > len(buffer) {
		return int32(len(b)) //nolint:gosec // a test's objects
	}
	h.run.Reads = append(h.run.Reads, in.Queries...)
	copy(buffer, b)
	return int32(len(b)) //nolint:gosec // a test's objects
}

// Log keeps a line for the test to see.
func (h *host) Log(level int32, message []byte) {
	h.run.Log = append(h.run.Log, string(message))
	if level >= abi.LevelError {
		h.tb.Logf("the guest logs: %s", message)
	}
}

func (h *host) answer(q *abi.Query) abi.Answer {
	if message := h.denyRead(q); message != "" {
		h.tb.Errorf("denied: %s", message)
		return abi.Answer{Status: abi.AnswerStatusDenied, Message: message}
	}
	if q.Kind != nil && q.Kind.Kind == "*" {
		return h.everyKind(q)
	}
	if q.Type == abi.QueryTypeOwner {
		if answer := h.checkOwner(q); answer != nil {
			return *answer
		}
	}
	switch q.Type {
	case abi.QueryTypeGet, abi.QueryTypeOwner:
		return h.get(q)
	case abi.QueryTypeList:
		return h.list(q)
	case abi.QueryTypeMemo:
		return abi.Answer{Status: abi.AnswerStatusOK, Memo: h.memos[abi.Key{Namespace: q.Namespace, Name: q.Name}]}
	default:
		return abi.Answer{Status: abi.AnswerStatusUnsupported, Message: "sdktest answers no such query"}
	}
}

func (h *host) get(q *abi.Query) abi.Answer {
	for _, o := range h.all(q.Live) {
		m := accessor(o)
		// An owner of a namespaced object is in its namespace or in none.
		inPlace := m.GetNamespace() == q.Namespace || q.Type == abi.QueryTypeOwner && m.GetNamespace() == ""
		if !inPlace || m.GetName() != q.Name || !isKind(o, q) || q.UID != "" && string(m.GetUID()) != q.UID {
			continue
		}
		return h.give(q, []runtime.Object{o})
	}
	return abi.Answer{Status: abi.AnswerStatusNotFound}
}

func (h *host) list(q *abi.Query) abi.Answer {
	match, err := matcher(h.controller, q)
	if err != nil {
		return abi.Answer{Status: abi.AnswerStatusInvalid, Message: err.Error()}
	}
	var found []runtime.Object
	for _, o := range h.all(q.Live) {
		if isKind(o, q) && match(o) {
			found = append(found, o)
		}
	}
	return h.give(q, found)
}

// give encodes what was found.
func (h *host) give(q *abi.Query, objects []runtime.Object) abi.Answer {
	out := abi.Answer{Status: abi.AnswerStatusOK}
	for _, o := range objects {
		var body abi.Object
		var err error
		if q.MetadataOnly {
			body, err = encodeMetadata(o)
		} else {
			body, err = encode(o, q.Encoding)
		}
		if err != nil {
			return abi.Answer{Status: abi.AnswerStatusFailed, Message: err.Error()}
		}
		body.ObservedNS = h.observed[idOf(o)]
		out.Objects = append(out.Objects, body)
	}
	return out
}

// all is the objects that the cache, or the API server, has, in the order of
// their names.
func (w *World) all(live bool) []runtime.Object {
	var out []runtime.Object
	for i, o := range w.objects {
		if other, changed := w.live[i]; live && changed {
			o = other
		}
		if o != nil {
			out = append(out, o)
		}
	}
	for i, o := range w.live {
		if _, cached := w.objects[i]; live && !cached && o != nil {
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b runtime.Object) int {
		x, y := accessor(a), accessor(b)
		return cmp.Or(cmp.Compare(x.GetNamespace(), y.GetNamespace()), cmp.Compare(x.GetName(), y.GetName()))
	})
	return out
}

func isKind(o runtime.Object, q *abi.Query) bool {
	return o.GetObjectKind().GroupVersionKind() == gvkOf(q.Kind)
}
