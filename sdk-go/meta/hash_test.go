package meta_test

import (
	"encoding/binary"
	"hash/fnv"
	"strconv"
	"testing"

	upstream "k8s.io/apimachinery/pkg/util/rand"

	"github.com/loopdock/loopdock/sdk-go/meta"
)

func FuzzHash(f *testing.F) {
	f.Add([]byte("template"), int32(3))
	f.Add([]byte(nil), int32(-1))
	f.Fuzz(func(t *testing.T, b []byte, collisions int32) {
		h := fnv.New32a()
		h.Write(b)
		if got, want := meta.Hash(b), upstream.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10)); got != want {
			t.Errorf("Hash is %s, want %s", got, want)
		}
		count := make([]byte, 8)
		binary.LittleEndian.PutUint32(count, uint32(collisions))
		h.Write(count)
		if got, want := meta.HashCollided(b, collisions), upstream.SafeEncodeString(strconv.FormatUint(uint64(h.Sum32()), 10)); got != want {
			t.Errorf("HashCollided is %s, want %s", got, want)
		}
	})
}
