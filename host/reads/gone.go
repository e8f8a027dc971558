package reads

import (
	"github.com/hashicorp/golang-lru/v2/simplelru"
	"k8s.io/apimachinery/pkg/types"
)

// rememberGone is how many deleted objects are remembered, and how many beside them
// that others named as an owner.
const rememberGone = 4096

// goneObjects remembers the latest objects that were seen to go, with the
// namespaces that they were in. Owners don't make room for others: thousands of
// dependents that go after them would else have each one ask about its owner anew.
type goneObjects struct {
	owners, others *simplelru.LRU[types.UID, string]
}

func newGoneObjects(size int) goneObjects {
	owners, _ := simplelru.NewLRU[types.UID, string](size, nil) // fails for a size below 1
	others, _ := simplelru.NewLRU[types.UID, string](size, nil) // as above
	return goneObjects{owners, others}
}

func (g goneObjects) add(uid types.UID, namespace string, owner bool) {
	if owner {
		g.owners.Add(uid, namespace)
	} else {
		g.others.Add(uid, namespace)
	}
}

func (g goneObjects) forget(uid types.UID) {
	g.owners.Remove(uid)
	g.others.Remove(uid)
}

// where is the namespace that an object was in, and whether it was seen to go.
func (g goneObjects) where(uid types.UID) (namespace string, gone bool) {
	if namespace, gone = g.owners.Peek(uid); gone {
		return namespace, true
	}
	return g.others.Peek(uid)
}
