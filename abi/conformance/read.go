package conformance

import (
	"bytes"
	"context"
	"errors"

	"github.com/loopdock/loopdock/abi"
)

// question is a small message of queries.
func question(name string) []byte {
	return (&abi.Queries{Queries: []abi.Query{{Type: abi.QueryTypeGet, Kind: &abi.Kind{APIVersion: "v1", Kind: "Pod"}, Name: name}}}).Append(nil)
}

// untouched is a buffer that nothing was written into.
func untouched(n int) []byte { return bytes.Repeat([]byte{0xaa}, n) }

// checkReadIntoBuffers: what does not fit is not written, its length is told, and the
// second call gets what the first would have got.
func checkReadIntoBuffers(b *bench) {
	answer := bytes.Repeat([]byte("answer "), 10)
	filled := append(bytes.Clone(answer), untouched(30)...)
	n := int64(len(answer))
	for _, c := range []struct {
		reason string
		room   int64
		want   told
	}{
		{"no buffer at all", 0, told{{"code", encode(n)}, {"buffer", nil}, {"code", encode(n)}, {"buffer", answer}}},
		{"a byte too few", n - 1, told{{"code", encode(n)}, {"buffer", untouched(int(n) - 1)}, {"code", encode(n)}, {"buffer", answer}}},
		{"just enough", n, told{{"code", encode(n)}, {"buffer", answer}}},
		{"more than enough", n + 30, told{{"code", encode(n)}, {"buffer", filled}}},
	} {
		asked := 0
		req := command("read")
		req.Config, req.Memo = question("a"), encode(c.room)
		got := b.call(req, func(_ context.Context, queries []byte) ([]byte, error) {
			asked++
			if !bytes.Equal(queries, req.Config) {
				b.Errorf("%s: the queries are %x, and the guest passed %x", c.reason, queries, req.Config)
			}
			return answer, nil
		})
		b.Log(c.reason)
		b.equal(c.want, got)
		if asked != 1 {
			b.Errorf("%s: what answers was asked %d times", c.reason, asked)
		}
	}
}

// checkReadAnswersAll: an answer may be empty, and larger than the guest's memory was.
func checkReadAnswersAll(b *bench) {
	for _, size := range []int{0, 1, 6 << 20} {
		answer := bytes.Repeat([]byte{9}, size)
		req := command("read")
		req.Config = question("a")
		got := b.call(req, func(context.Context, []byte) ([]byte, error) { return answer, nil })
		last := got[len(got)-1].Body
		if !bytes.Equal(last, answer) {
			b.Errorf("%d bytes came of an answer of %d, or others", len(last), size)
		}
	}
}

// checkReadSame: within one reconcile the same question has the same answer; the next
// reconcile asks anew.
func checkReadSame(b *bench) {
	asked := byte(0)
	read := func(context.Context, []byte) ([]byte, error) { asked++; return []byte{asked}, nil }
	for _, want := range []byte{1, 3} {
		req := command("read-same")
		req.Config = question("a")
		req.Memo = question("b")
		order := []byte{want, want, want, want + 1, want}
		all := make(told, 0, 2*len(order))
		for _, n := range order {
			all = append(all, item{"code", encode(1)}, item{"buffer", append([]byte{n}, untouched(63)...)})
		}
		b.equal(all, b.call(req, read))
	}
}

// checkReadCodes: what the guest got wrong it is told, and goes on.
func checkReadCodes(b *bench) {
	for want, cause := range map[int32]error{abi.ReadMalformed: ErrMalformed, abi.ReadLimit: ErrLimit} {
		req := command("read")
		req.Config, req.Memo = question("a"), encode(8)
		got := b.call(req, func(context.Context, []byte) ([]byte, error) { return nil, errors.Join(errors.New("query 1"), cause) })
		b.equal(told{{"code", encode(int64(want))}, {"buffer", untouched(8)}}, got)
	}
}

// checkReadPointers: what lies outside of linear memory is told by a code, nothing is
// read or logged, and the call goes on.
func checkReadPointers(b *bench) {
	asked := 0
	req := command("read-pointers")
	req.Config = question("a")
	resp, lines, err := b.try(req, func(context.Context, []byte) ([]byte, error) { asked++; return []byte("four"), nil })
	if err != nil {
		b.Fatal(err)
	}
	got := b.told(resp)
	bad := int64(abi.ReadBadPointer)
	b.wantNumbers(got, map[string]int64{
		"queries-outside": bad, "queries-overflow": bad, "buffer-outside": bad, "buffer-overflow": bad, "inside": 4,
		"alloc": int64(abi.ReadNotReconciling),
	})
	b.equal(untouched(16), b.bytes(got, "buffer"))
	if asked != 1 {
		b.Errorf("what answers was asked %d times, and once the pointers were good", asked)
	}
	for i := range got {
		if got[i].Name == "entered" {
			b.Error("the guest was called while it was reading")
		}
	}
	if len(lines) > 0 {
		b.Errorf("lines from outside of memory were logged: %v", lines)
	}
}

// checkReadFails: what the host can't answer for reasons of its own fails the call.
func checkReadFails(b *bench) {
	req := command("read")
	req.Config = question("a")
	b.fails(req, func(context.Context, []byte) ([]byte, error) { return nil, errors.New("the host's own trouble") })
}
