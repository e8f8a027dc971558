package meter

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

// TestRevision fails when a module is rewritten otherwise than before: then what
// hosts have kept is of no use, and Revision has to say so.
func TestRevision(t *testing.T) {
	const revision, want = 1, "927961212fb86edbfa889147fcc548847db41d5c14ee5d10e1fd9741db003bf9"
	sum := sha256.New()
	for _, name := range []string{"testdata/compute.wasm", "testdata/control.wasm", "testdata/bulk.wasm"} {
		wasm, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := Rewrite(wasm, Config{})
		if err != nil {
			t.Fatal(err)
		}
		_, _ = sum.Write(out) // which never fails
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want || revision != Revision {
		t.Errorf("what Rewrite gives is %s now, and was %s at revision %d: raise Revision, and put both here", got, want, revision)
	}
}
