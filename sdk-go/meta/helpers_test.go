package meta_test

import (
	"math/rand/v2"
	"testing"

	metaapi "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/loopdock/loopdock/sdk-go/view/metav1"
)

// encode is an upstream object as its bytes.
func encode(t *testing.T, obj interface{ Marshal() ([]byte, error) }) []byte {
	t.Helper()
	b, err := obj.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if b == nil {
		b = []byte{} // upstream's nil is an empty message, not an absent one
	}
	return b
}

func objectMeta(t *testing.T, m metaapi.ObjectMeta) metav1.ObjectMeta {
	t.Helper()
	return encode(t, &m)
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }
