package conformance

import (
	"encoding/binary"

	"github.com/google/go-cmp/cmp"

	"github.com/loopdock/loopdock/abi"
)

// command is a request whose key is a word that the guest knows.
func command(word string) *abi.Request {
	return &abi.Request{Key: &abi.Key{Namespace: "default", Name: word}, NowNS: 1_800_000_000_123_456_789, Seed: 42}
}

// encode writes a number as the guest reads it.
func encode(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) } //nolint:gosec // two's complement

// told is what a guest told, in order.
type told []item

type item struct {
	Name string
	Body []byte
}

func (b *bench) told(resp *abi.Response) told {
	b.Helper()
	if resp.Error != nil {
		b.Fatalf("the guest refuses: %s", resp.Error.Message)
	}
	var out told
	for i := range resp.Batches {
		for j := range resp.Batches[i].Actions {
			a := &resp.Batches[i].Actions[j]
			out = append(out, item{a.Name, a.Body})
		}
	}
	return out
}

// bytes gives what was told under a name first.
func (b *bench) bytes(t told, name string) []byte {
	b.Helper()
	for i := range t {
		if t[i].Name == name {
			return t[i].Body
		}
	}
	b.Fatalf("the guest does not tell %s", name)
	return nil
}

// number gives the number that was told under a name.
func (b *bench) number(t told, name string) int64 {
	b.Helper()
	body := b.bytes(t, name)
	if len(body) != 8 {
		b.Fatalf("the guest tells %s in %d bytes, and not in 8", name, len(body))
	}
	return int64(binary.LittleEndian.Uint64(body)) //nolint:gosec // two's complement
}

// wantNumbers holds numbers against what they should be.
func (b *bench) wantNumbers(t told, want map[string]int64) {
	b.Helper()
	got := make(map[string]int64, len(want))
	for name := range want {
		got[name] = b.number(t, name)
	}
	b.equal(want, got)
}

// equal reports what differs. Empty and absent lists are the same on the wire.
func (b *bench) equal(want, got any) {
	b.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		b.Errorf("want -, got +\n%s", diff)
	}
}
