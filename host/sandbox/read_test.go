package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/abi"
)

// word is four bytes of a buffer, as the fixture gives it back.
func word(s string) int32 {
	return int32(s[0]) | int32(s[1])<<8 | int32(s[2])<<16 | int32(s[3])<<24
}

// TestRead: what read gives for each of a reader's answers. The fixture reads the
// same three times: with a buffer of two bytes, and twice with one of 64.
func TestRead(t *testing.T) {
	cases := map[string]struct {
		reason string
		answer string
		err    error
		reads  int // how often the reader is asked
		want   []int32
	}{
		"answer":      {"too small a buffer stays untouched, and the same question is asked once", "answer", nil, 1, []int32{6, 0, 6, word("answ"), 6, word("answ")}},
		"fits":        {"an answer may fill the buffer", "ok", nil, 1, []int32{2, word("ok\x00\x00"), 2, word("ok\x00\x00"), 2, word("ok\x00\x00")}},
		"empty":       {"an empty answer is one", "", nil, 1, []int32{0, 0, 0, 0, 0, 0}},
		"malformed":   {"the guest is told and goes on", "", fmt.Errorf("query 1: %w", ErrMalformed), 3, []int32{abi.ReadMalformed, 0, abi.ReadMalformed, 0, abi.ReadMalformed, 0}},
		"undecodable": {"the codec's own error says as much", "", new(abi.Queries).Decode([]byte{0xff}), 3, []int32{abi.ReadMalformed, 0, abi.ReadMalformed, 0, abi.ReadMalformed, 0}},
		"limit":       {"the guest is told and goes on", "", fmt.Errorf("10 reads: %w", ErrReadLimit), 3, []int32{abi.ReadLimit, 0, abi.ReadLimit, 0, abi.ReadLimit, 0}},
	}
	r := newRuntime(t, Config{})
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			asked := 0
			reader := readerFunc(func(_ context.Context, queries []byte) ([]byte, error) {
				asked++
				if string(queries) != "q" {
					t.Errorf("the reader was asked %q", queries)
				}
				return []byte(tc.answer), tc.err
			})
			resp, _, err := load(t, r, "read").NewPool(PoolConfig{}).Reconcile(t.Context(), "key", request("key"), reader, nil)
			if err != nil {
				t.Fatal(err)
			}
			// The last number: alloc was called for the request alone, and not by
			// any of the reads.
			if diff := cmp.Diff(append(tc.want, 1), numbers(resp.Memo)); diff != "" {
				t.Errorf("%s\n%s", tc.reason, diff)
			}
			if asked != tc.reads {
				t.Errorf("the reader was asked %d times, and not %d", asked, tc.reads)
			}
		})
	}
}

// TestReadAgainNextTime: answers are kept for one reconcile, and no longer.
func TestReadAgainNextTime(t *testing.T) {
	asked := 0
	reader := readerFunc(func(context.Context, []byte) ([]byte, error) { asked++; return nil, nil })
	p := load(t, newRuntime(t, Config{}), "read").NewPool(PoolConfig{})
	for range 2 {
		if _, _, err := p.Reconcile(t.Context(), "key", request("key"), reader, nil); err != nil {
			t.Fatal(err)
		}
	}
	if asked != 2 {
		t.Errorf("the reader was asked %d times, and not once in each reconcile", asked)
	}
}

// TestReaderFails: what the host can't read ends the call, and is not the guest's
// fault.
func TestReaderFails(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "read")
	reader := readerFunc(func(context.Context, []byte) ([]byte, error) { return nil, io.ErrUnexpectedEOF })
	_, _, err := m.NewPool(PoolConfig{}).Reconcile(t.Context(), "key", request("key"), reader, nil)
	if diff := cmp.Diff("the host could not read: unexpected EOF", text(err)); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("the reader's error is not to be had")
	}
	if trap := (*TrapError)(nil); errors.As(err, &trap) {
		t.Error("the guest is to blame")
	}
	wantNothingLeft(t, m)
}

// TestReaderPanics: a reader's panic ends the call, the instance goes, and the
// pool is as good as before.
func TestReaderPanics(t *testing.T) {
	m := load(t, newRuntime(t, Config{}), "read")
	p := m.NewPool(PoolConfig{})
	reader := readerFunc(func(context.Context, []byte) ([]byte, error) { panic("a defect") })
	if _, _, err := p.Reconcile(t.Context(), "key", request("key"), reader, nil); err == nil {
		t.Error("no error")
	}
	wantNothingLeft(t, m)
	if _, _, err := p.Reconcile(t.Context(), "key", request("key"), answered, nil); err != nil {
		t.Error(err)
	}
}
