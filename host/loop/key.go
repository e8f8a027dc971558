package loop

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/loopdock/loopdock/abi"
)

// Key names what one reconcile is about. Resource and UID are those of wildcard keys.
type Key struct {
	Resource  schema.GroupResource
	Namespace string
	Name      string
	UID       types.UID
}

// String is namespace/name, or the name alone, after the resource if there is one.
func (k Key) String() string {
	s := k.Name
	if k.Namespace != "" {
		s = k.Namespace + "/" + s
	}
	if k.Resource.Resource != "" {
		s = k.Resource.String() + " " + s
	}
	return s
}

func (k Key) abi() *abi.Key {
	return &abi.Key{
		Group: k.Resource.Group, Resource: k.Resource.Resource, Namespace: k.Namespace, Name: k.Name, UID: string(k.UID),
	}
}

func keyOf(k *abi.Key) Key {
	return Key{
		Resource:  schema.GroupResource{Group: k.Group, Resource: k.Resource},
		Namespace: k.Namespace, Name: k.Name, UID: types.UID(k.UID),
	}
}
