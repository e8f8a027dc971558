//go:build !wasip1

package sdk_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/loopdock/loopdock/abi"
	sdk "github.com/loopdock/loopdock/sdk-go"
	"github.com/loopdock/loopdock/sdk-go/view/corev1"
)

// fakeHost answers with what a test prepared.
type fakeHost struct {
	answer func(q []abi.Query) []abi.Answer
	code   int32 // returned in place of an answer
	calls  int
	lines  []string
}

func (h *fakeHost) Read(queries, buffer []byte) int32 {
	h.calls++
	if h.code != 0 {
		return h.code
	}
	var q abi.Queries
	if err := q.Decode(queries); err != nil {
		return abi.ReadMalformed
	}
	out := (&abi.Answers{Answers: h.answer(q.Queries)}).Append(nil)
	if len(out) <= len(buffer) {
		copy(buffer, out)
	}
	return int32(len(out))
}

func (h *fakeHost) Log(_ int32, message []byte) { h.lines = append(h.lines, string(message)) }

func one(body []byte) []abi.Answer {
	return []abi.Answer{{Status: abi.AnswerStatusOK, Objects: []abi.Object{{Body: body}}}}
}

func TestAnswersOfAnySizeStayUntilTheEnd(t *testing.T) {
	h := &fakeHost{}
	sdk.UseHost(h)
	defer sdk.UseHost(nil)
	sizes := []int{10, 100_000, 60_000, 10, 1_000_000, 5_000_000, 3}
	for range 3 { // also with buffers that are used again
		serve(t, abi.Request{}, func(r *sdk.Reconcile) error {
			var got [][]byte
			for i, n := range sizes {
				h.answer = func([]abi.Query) []abi.Answer { return one(bytes.Repeat([]byte{byte(i + 1)}, n)) }
				o, err := r.Get(sdk.Query{Kind: pods, Name: "x"})
				if err != nil {
					return err
				}
				got = append(got, o.Body)
			}
			for i, n := range sizes {
				if !bytes.Equal(got[i], bytes.Repeat([]byte{byte(i + 1)}, n)) {
					t.Errorf("answer %d of %d bytes was overwritten", i, n)
				}
			}
			return nil
		})
	}
}

func TestSmallReadsAskOnce(t *testing.T) {
	h := &fakeHost{answer: func([]abi.Query) []abi.Answer { return one(podBody("a", "u")) }}
	sdk.UseHost(h)
	defer sdk.UseHost(nil)
	serve(t, abi.Request{}, func(r *sdk.Reconcile) error {
		pod, err := sdk.Get[corev1.Pod](r, sdk.Query{Kind: pods, Name: "a"})
		if err != nil || pod.Metadata().Name() != "a" || h.calls != 1 {
			t.Errorf("got %q, %v after %d calls", pod, err, h.calls)
		}
		return nil
	})
}

func TestSeveralQueriesAreOneCall(t *testing.T) {
	h := &fakeHost{answer: func(q []abi.Query) []abi.Answer {
		if q[0].Type != abi.QueryTypeGet || q[1].Type != abi.QueryTypeList || q[2].Type != abi.QueryTypeOwner {
			t.Errorf("types %v %v %v", q[0].Type, q[1].Type, q[2].Type)
		}
		return append(one([]byte("a")), abi.Answer{Status: abi.AnswerStatusOK}, abi.Answer{Status: abi.AnswerStatusDenied})
	}}
	sdk.UseHost(h)
	defer sdk.UseHost(nil)
	serve(t, abi.Request{}, func(r *sdk.Reconcile) error {
		owner := sdk.OwnerQuery("ns", nil)
		answers, err := r.Read(sdk.Query{Kind: pods, Name: "a"}, sdk.Query{Kind: pods, ControllerUID: "u"}, owner)
		if err != nil || len(answers) != 3 || h.calls != 1 {
			t.Fatalf("%d answers, %v after %d calls", len(answers), err, h.calls)
		}
		if err := sdk.AnswerError(owner, &answers[2]); !errors.Is(err, sdk.ErrDenied) {
			t.Errorf("got %v, want denied", err)
		}
		return nil
	})
}

func TestReadErrorsTellTheirCause(t *testing.T) {
	cases := map[string]struct {
		reason string
		answer abi.Answer
		code   int32
		want   error
		text   string
	}{
		"absent":      {"an absent object", abi.Answer{Status: abi.AnswerStatusNotFound}, 0, sdk.ErrNotFound, "cannot read Pod ns/a: not found"},
		"no objects":  {"an answer that holds nothing", abi.Answer{Status: abi.AnswerStatusOK}, 0, sdk.ErrNotFound, "cannot read Pod ns/a: not found"},
		"kind":        {"an unknown kind", abi.Answer{Status: abi.AnswerStatusNoSuchKind}, 0, sdk.ErrNoSuchKind, "cannot read Pod ns/a: no such kind"},
		"denied":      {"not granted", abi.Answer{Status: abi.AnswerStatusDenied, Message: "ask"}, 0, sdk.ErrDenied, "cannot read Pod ns/a: denied: ask"},
		"unsupported": {"an older host", abi.Answer{Status: abi.AnswerStatusUnsupported}, 0, sdk.ErrUnsupported, "cannot read Pod ns/a: not supported by this host"},
		"live 404":    {"a live read of an absent object", abi.Answer{Status: abi.AnswerStatusFailed, Code: 404}, 0, sdk.ErrNotFound, "cannot read Pod ns/a: failed"},
		"limit":       {"too much was read", abi.Answer{}, abi.ReadLimit, sdk.ErrLimit, "cannot read Pod ns/a: invalid: read limit reached"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			sdk.UseHost(&fakeHost{code: tc.code, answer: func([]abi.Query) []abi.Answer { return []abi.Answer{tc.answer} }})
			defer sdk.UseHost(nil)
			serve(t, abi.Request{}, func(r *sdk.Reconcile) error {
				_, err := sdk.Get[corev1.Pod](r, sdk.Query{Kind: pods, Namespace: "ns", Name: "a"})
				var read *sdk.ReadError
				if !errors.As(err, &read) || !errors.Is(err, tc.want) || err.Error() != tc.text {
					t.Errorf("%s: got %v, want %q", tc.reason, err, tc.text)
				}
				for _, other := range []error{sdk.ErrNotFound, sdk.ErrDenied, sdk.ErrNoSuchKind, sdk.ErrUnsupported, sdk.ErrLimit} {
					if other != tc.want && errors.Is(err, other) { //nolint:errorlint // constants
						t.Errorf("%s: it is %v as well", tc.reason, other)
					}
				}
				return nil
			})
		})
	}
}

func TestReadsAllocateLittle(t *testing.T) {
	answer := (&abi.Answers{Answers: one(make([]byte, 1000))}).Append(nil)
	sdk.UseHost(constHost{answer})
	defer sdk.UseHost(nil)
	request := (&abi.Request{}).Append(nil)
	body = func(r *sdk.Reconcile) error {
		_, err := r.Get(sdk.Query{Kind: pods, Name: "x"})
		return err
	}
	// The request, the Reconcile, the queries and the answers with their lists.
	if n := testing.AllocsPerRun(100, func() { sdk.Serve(request) }); n > 14 {
		t.Errorf("a reconcile with one read allocates %v times", n)
	}
}

type constHost struct{ answer []byte }

func (h constHost) Read(_, buffer []byte) int32 { return int32(copy(buffer, h.answer)) }
func (constHost) Log(int32, []byte)             {}
