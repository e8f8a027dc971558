package reads

import (
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/types"
)

// TestOwnersAreRemembered: what goes after them does not push owners out.
func TestOwnersAreRemembered(t *testing.T) {
	g := newGoneObjects(10)
	g.add("owner", "shop", true)
	g.add("first", "shop", false)
	for i := range 20 {
		g.add(types.UID(strconv.Itoa(i)), "shop", false)
	}
	if namespace, gone := g.where("owner"); !gone || namespace != "shop" {
		t.Errorf("the owner is gone: %v, from %q", gone, namespace)
	}
	if _, gone := g.where("first"); gone {
		t.Error("more is remembered than there is room for")
	}
	if _, gone := g.where("19"); !gone {
		t.Error("the last one is forgotten")
	}
	g.forget("owner")
	if _, gone := g.where("owner"); gone {
		t.Error("one that is back is still said to be gone")
	}
}
