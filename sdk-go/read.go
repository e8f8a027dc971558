package sdk

import (
	"github.com/loopdock/loopdock/abi"
	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// What reads are made of: see the ABI for the fields.
type (
	// Query asks for one object (with Name), or for all objects that meet every
	// condition set in it. The host wakes the key when the answer would differ.
	Query = abi.Query
	// Answer is what one query gave.
	Answer = abi.Answer
	// ServedResource is a resource that the API server serves.
	ServedResource = abi.ServedResource
)

// Get reads one object, as a view. An object that is not there is ErrNotFound.
func Get[T ~[]byte](r *Reconcile, q Query) (T, error) {
	o, err := r.Get(q)
	return T(o.Body), err
}

// List reads objects, as views.
func List[T ~[]byte](r *Reconcile, q Query) ([]T, error) {
	objects, err := r.List(q)
	if err != nil {
		return nil, err
	}
	return Views[T](objects), nil
}

// Owner reads the object that an owner reference names, as a view: ErrNotFound
// where it is gone or another one has taken its name, ErrNoSuchKind where the
// API server does not know its kind.
func Owner[T ~[]byte](r *Reconcile, namespace string, ref metav1.OwnerReference) (T, error) {
	o, err := r.Get(OwnerQuery(namespace, ref))
	return T(o.Body), err
}

// Views gives the bodies of objects as views.
func Views[T ~[]byte](objects []Object) []T {
	out := make([]T, len(objects))
	for i := range objects {
		out[i] = T(objects[i].Body)
	}
	return out
}

// OwnerQuery asks for the object that an owner reference in an object of that
// namespace names. More conditions, such as Live, may be set in it.
func OwnerQuery(namespace string, ref metav1.OwnerReference) Query {
	return Query{
		Type:      abi.QueryTypeOwner,
		Kind:      &Kind{APIVersion: ref.APIVersion(), Kind: ref.Kind()},
		Namespace: namespace,
		Name:      ref.Name(),
		UID:       ref.UID(),
	}
}

// Get reads one object, with what the host knows about it.
func (r *Reconcile) Get(q Query) (Object, error) {
	if q.Type == abi.QueryTypeUnspecified {
		q.Type = abi.QueryTypeGet
	}
	a, err := r.ask(q)
	if err != nil {
		return Object{}, err
	}
	if len(a.Objects) == 0 {
		return Object{}, &ReadError{Query: q, Status: abi.AnswerStatusNotFound}
	}
	return a.Objects[0], nil
}

// List reads objects, with what the host knows about them.
func (r *Reconcile) List(q Query) ([]Object, error) {
	q.Type = abi.QueryTypeList
	a, err := r.ask(q)
	if err != nil {
		return nil, err
	}
	return a.Objects, nil
}

// Discover reads what the API server serves, and which API groups did not answer.
func (r *Reconcile) Discover() (resources []ServedResource, failedGroups []string, err error) {
	a, err := r.ask(Query{Type: abi.QueryTypeDiscovery})
	if err != nil {
		return nil, nil, err
	}
	return a.Resources, a.FailedGroups, nil
}

// MemoOf reads the memo of another key of this controller.
func (r *Reconcile) MemoOf(namespace, name string) ([]byte, error) {
	a, err := r.ask(Query{Type: abi.QueryTypeMemo, Namespace: namespace, Name: name})
	if err != nil {
		return nil, err
	}
	return a.Memo, nil
}

func (r *Reconcile) ask(q Query) (*Answer, error) {
	answers, err := r.Read(q)
	if err != nil {
		return nil, err
	}
	if err := AnswerError(q, &answers[0]); err != nil {
		return nil, err
	}
	return &answers[0], nil
}

// Read asks several queries in one call and gives their answers in order. An
// error means that nothing was answered; AnswerError tells how each query went.
// A query without a type is a get if it names an object, else a list.
func (r *Reconcile) Read(queries ...Query) ([]Answer, error) {
	for i := range queries {
		switch q := &queries[i]; {
		case q.Type != abi.QueryTypeUnspecified:
		case q.Name != "":
			q.Type = abi.QueryTypeGet
		default:
			q.Type = abi.QueryTypeList
		}
	}
	memory.queries = (&abi.Queries{Queries: queries}).Append(memory.queries[:0])
	b, code := memory.read(memory.queries)
	if code < 0 {
		return nil, &ReadError{Query: firstOf(queries), Status: abi.AnswerStatusInvalid, Message: readFailure(code), limit: code == abi.ReadLimit}
	}
	var answers abi.Answers
	if err := answers.Decode(b); err != nil {
		return nil, err
	}
	if len(answers.Answers) != len(queries) {
		return nil, &ReadError{Query: firstOf(queries), Status: abi.AnswerStatusInvalid, Message: "the host gave another number of answers"}
	}
	return answers.Answers, nil
}

func firstOf(queries []Query) Query {
	if len(queries) == 0 {
		return Query{}
	}
	return queries[0]
}
