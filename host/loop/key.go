package loop

import "github.com/loopdock/loopdock/abi"

// Key names what one reconcile is about.
type Key struct {
	Namespace string
	Name      string
}

// String is namespace/name, or the name alone.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "/" + k.Name
}

func (k Key) abi() *abi.Key { return &abi.Key{Namespace: k.Namespace, Name: k.Name} }
