package sandbox

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/abi"
)

const xs = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."

// hostileCalls are the fixtures that dock, and what becomes of a call: an error
// (without the part that all have), or numbers in the memo.
var hostileCalls = map[string]struct {
	reason  string
	failure string
	memo    []int32
}{
	"describe-read":            {reason: "read in describe is -3, which the guest checks"},
	"reexport-alloc":           {reason: "a host's function as alloc is called as any other"},
	"memory-grow":              {reason: "growing beyond the limit gives -1", memo: []int32{1, -1, -1}},
	"recursion":                {reason: "a stack overflow is a trap", failure: "loopdock_reconcile: limit reached: bytes of stack is 1048576"},
	"reconcile-trap":           {reason: "a trap", failure: "loopdock_reconcile: wasm error: unreachable"},
	"reconcile-exit":           {reason: "an exit is no answer", failure: "loopdock_reconcile: it exited with code 0"},
	"reconcile-exit-cancelled": {reason: "a guest can't pass its exit off as the host's doing", failure: "loopdock_reconcile: it exited with code 4294967295"},
	"response-huge":            {reason: "longer than the limit", failure: "loopdock_reconcile: limit reached: response bytes is 65536, and 4294967295 was asked for"},
	"response-outside":         {reason: "a bad pointer", failure: "loopdock_reconcile: it answered with 16 bytes at 65528, which is outside its memory"},
	"response-malformed":       {reason: "not protobuf", failure: "loopdock_reconcile: cannot decode Response, field 0: malformed protobuf: the message ends inside a field"},
	"response-edge":            {reason: "the last byte of memory may be used"},
	"response-overlaps":        {reason: "the request is the guest's to overwrite"},
	"alloc-outside":            {reason: "a bad pointer", failure: "loopdock_alloc: it gave room at 65535 for 16 bytes, which is outside its memory"},
	"alloc-trap":               {reason: "a trap", failure: "loopdock_alloc: wasm error: unreachable"},
	"alloc-read":               {reason: "alloc is not reconcile", memo: []int32{abi.ReadNotReconciling}},
	"read-pointers":            {reason: "bad pointers are told to the guest", memo: []int32{abi.ReadBadPointer, abi.ReadBadPointer, abi.ReadBadPointer}},
	"read-overlaps":            {reason: "queries are read before the answer is written", memo: []int32{6, 6}},
	"sleep":                    {reason: "an hour is the most", failure: "loopdock_reconcile: the guest slept longer than a call may: limit reached: sleep in nanoseconds is 3600000000000, and 3600000000001 was asked for"},
	"sleep-again":              {reason: "an hour is the most for all sleeps of a call", failure: "loopdock_reconcile: the guest slept longer than a call may: limit reached: sleep in nanoseconds is 3600000000000, and 5400000000000 was asked for"},
	"poll-overflow":            {reason: "a length that overflows in wazero", failure: "loopdock_reconcile: runtime error: index out of range [56] with length 48"},
	"log-flood":                {reason: "long lines are cut", failure: `loopdock_reconcile: wasm error: unreachable (it said "` + xs + `")`},
	"print-half":               {reason: "half a line is a line"},
	"panic":                    {reason: "what the runtime prints first tells most", failure: `loopdock_reconcile: it exited with code 2 (it said "panic: out of cheese")`},
}

// answered answers all queries alike.
var answered = readerFunc(func(context.Context, []byte) ([]byte, error) { return []byte("answer"), nil })

// TestHostileCalls makes a call that fails twice: it costs the instance, and the
// pool goes on with a new one.
func TestHostileCalls(t *testing.T) {
	r := newRuntime(t, Config{})
	for name, tc := range hostileCalls {
		t.Run(name, func(t *testing.T) {
			m := load(t, r, name)
			p := m.NewPool(PoolConfig{Controller: name})
			for range 2 {
				resp, usage, err := p.Reconcile(t.Context(), "key", request("key"), answered, nil)
				want := ""
				if tc.failure != "" {
					want = "guest " + name + ".wasm failed in " + tc.failure
				}
				if diff := cmp.Diff(want, text(err)); diff != "" {
					t.Fatalf("%s\n%s", tc.reason, diff)
				}
				if err != nil {
					wantTrap(t, err)
					wantNothingLeft(t, m)
					continue
				}
				if diff := cmp.Diff(tc.memo, numbers(resp.Memo)); diff != "" {
					t.Errorf("%s\n%s", tc.reason, diff)
				}
				if m.Instances() != 1 || usage.MemoryBytes != m.MemoryBytes() {
					t.Errorf("%d instances, %d bytes by the call and %d by the module", m.Instances(), usage.MemoryBytes, m.MemoryBytes())
				}
				break
			}
		})
	}
}

func wantTrap(t *testing.T, err error) {
	t.Helper()
	trap := (*TrapError)(nil)
	if !errors.As(err, &trap) {
		t.Errorf("the error is %T, not a *TrapError", err)
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("not one line: %q", err.Error())
	}
}

// TestResponseWhereItMay: responses in odd places are read right.
func TestResponseWhereItMay(t *testing.T) {
	r := newRuntime(t, Config{})
	for _, name := range []string{"response-edge", "response-overlaps"} {
		resp, err := reconcile(t, load(t, r, name).NewPool(PoolConfig{}), "key")
		if diff := cmp.Diff(&abi.Response{RequeueAfterNS: 42}, resp); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}
